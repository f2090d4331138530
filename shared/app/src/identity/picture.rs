//! Creates a small square picture from an uploaded image.
//!
//! The picture is redrawn, so that nothing else of the upload is kept: no location of a photograph, and no bytes that
//! a browser could interpret as something else. Stores nothing.

use std::io::Cursor;

use bytes::Bytes;
use image::codecs::jpeg::JpegEncoder;
use image::error::{LimitError, LimitErrorKind};
use image::imageops::{FilterType, resize};
use image::{
    DynamicImage, GenericImageView as _, ImageDecoder as _, ImageError, ImageReader, ImageResult, Limits,
};
use svc_domain::refusal::Refusal;

use crate::error::Result;
use crate::heavy::Lane;

/// Most bytes of an upload.
pub(super) const MAX_BYTES: usize = 5 * 1024 * 1024;

/// Longest side of an upload, in pixels.
const MAX_SIDE: u32 = 10_000;

/// How many times longer the longer side of an upload may be.
const MAX_RATIO: u32 = 20;

/// Memory that one upload may take while it is read: about 30 million pixels.
const MAX_MEMORY: u64 = 128 * 1024 * 1024;

/// Side of a picture, in pixels: twice what lists show, for fine screens.
const SIDE: u32 = 256;

const JPEG_QUALITY: u8 = 85;

/// One upload is read at a time.
static PAINTER: Lane = Lane::new(1, 8);

/// A picture, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// `image/png`, or `image/jpeg` for what is nowhere transparent.
    pub content_type: String,
    /// The bytes.
    pub bytes: Bytes,
}

/// The picture that is made of an upload, without holding up other requests.
///
/// # Errors
/// [`Refusal::Invalid`] for what is no PNG, JPEG, GIF or WebP, is damaged or too large.
pub(super) async fn portrait(upload: Bytes) -> Result<Picture> {
    PAINTER.run(move || paint(&upload)).await?.map_err(|error| {
        let why = match error {
            ImageError::Limits(_) => {
                "The image is too large or too narrow: it can have at most 10,000 by 10,000 and 30 million pixels, \
                and one side can be at most 20 times as long as the other."
            }
            ImageError::Unsupported(_) => "Send a PNG, JPEG, GIF or WebP image.",
            _ => "The image is damaged: save it again as PNG or JPEG, and send that.",
        };
        Refusal::invalid("image", why).into()
    })
}

fn paint(upload: &[u8]) -> ImageResult<Picture> {
    let mut reader = ImageReader::new(Cursor::new(upload)).with_guessed_format()?;
    let mut limits = Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(MAX_SIDE), Some(MAX_SIDE));
    limits.max_alloc = Some(MAX_MEMORY);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder()?;
    // All that the header tells is judged before a pixel is read.
    let side = square(decoder.dimensions())?;
    limits.reserve(decoder.total_bytes())?;
    // Photographs say which side is up beside the image.
    let orientation = decoder.orientation()?;
    let image = DynamicImage::from_decoder(decoder)?;
    // Cut before it is scaled: what is scaled is never larger than the upload, whatever its shape.
    let (left, top) = ((image.width() - side) / 2, (image.height() - side) / 2);
    let small = resize(&*image.view(left, top, side, side), SIDE, SIDE, FilterType::Triangle);
    drop(image);
    let mut small = DynamicImage::from(small);
    small.apply_orientation(orientation);
    encode(&small)
}

/// Side of the largest square in an image of this size.
fn square((width, height): (u32, u32)) -> ImageResult<u32> {
    let (short, long) = (width.min(height), width.max(height));
    if short == 0 || long / short > MAX_RATIO || long > MAX_SIDE {
        return Err(ImageError::Limits(LimitError::from_kind(LimitErrorKind::DimensionError)));
    }
    Ok(short)
}

fn encode(image: &DynamicImage) -> ImageResult<Picture> {
    let mut bytes = Vec::new();
    let seen = image.to_rgba8();
    let content_type = if seen.pixels().all(|pixel| pixel.0[3] == u8::MAX) {
        image.to_rgb8().write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY))?;
        "image/jpeg"
    } else {
        seen.write_with_encoder(image::codecs::png::PngEncoder::new(&mut bytes))?;
        "image/png"
    };
    Ok(Picture { content_type: content_type.to_owned(), bytes: bytes.into() })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{DynamicImage, GenericImageView as _, ImageError, ImageFormat, Rgb, Rgba, RgbaImage};
    use image::{ImageBuffer, RgbImage};

    use super::{MAX_SIDE, Picture, SIDE, paint};

    fn saved(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        image.into().write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn opened(picture: &Picture) -> DynamicImage {
        let image = image::load_from_memory(&picture.bytes).unwrap();
        assert_eq!(image.dimensions(), (SIDE, SIDE));
        image
    }

    /// Red above blue, wider than high.
    fn flag() -> RgbImage {
        ImageBuffer::from_fn(90, 30, |_, y| if y < 15 { Rgb([255, 0, 0]) } else { Rgb([0, 0, 255]) })
    }

    #[test]
    fn images_of_each_format_become_small_squares() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP] {
            let picture = paint(&saved(flag(), format)).unwrap();
            assert_eq!(picture.content_type, "image/jpeg", "{format:?}");
            let (above, below) = (opened(&picture).get_pixel(128, 20), opened(&picture).get_pixel(128, 230));
            assert!(above[0] > 200 && above[2] < 50 && below[2] > 200 && below[0] < 50, "{format:?}");
        }
    }

    #[test]
    fn what_is_transparent_stays_so() {
        let glass = RgbaImage::from_pixel(40, 80, Rgba([0, 200, 0, 100]));
        let picture = paint(&saved(glass, ImageFormat::Png)).unwrap();
        assert_eq!(picture.content_type, "image/png");
        assert_eq!(opened(&picture).get_pixel(1, 1)[3], 100);
    }

    /// An EXIF segment that says: turned by 180 degrees.
    const UPSIDE_DOWN: &[u8] =
        b"\xff\xe1\x00\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x03\0\0\0\0\0\0";

    #[test]
    fn photographs_stand_upright_and_tell_nothing_else() {
        let plain = saved(flag(), ImageFormat::Jpeg);
        let photograph = [&plain[..2], UPSIDE_DOWN, b"\xff\xfe\x00\x0eMy home town", &plain[2..]].concat();
        let picture = paint(&photograph).unwrap();
        assert!(opened(&picture).get_pixel(128, 20)[2] > 200, "blue is above");
        assert!(!picture.bytes.windows(4).any(|w| w == b"Exif" || w == b"home"));
    }

    /// A GIF that claims this size: a decoder that believes it makes room for all of it.
    fn announced(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = saved(RgbImage::new(1, 1), ImageFormat::Gif);
        bytes[6..8].copy_from_slice(&(width as u16).to_le_bytes());
        bytes[8..10].copy_from_slice(&(height as u16).to_le_bytes());
        bytes
    }

    #[test]
    fn what_is_no_image_is_damaged_or_too_large_is_refused() {
        let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
        assert!(matches!(paint(svg), Err(ImageError::Unsupported(_))));
        assert!(matches!(paint(b""), Err(ImageError::Unsupported(_))));
        let whole = saved(flag(), ImageFormat::Png);
        assert!(matches!(
            paint(&whole[..whole.len() / 2]),
            Err(ImageError::Decoding(_) | ImageError::IoError(_))
        ));
        for (width, height) in [(MAX_SIDE + 1, MAX_SIDE), (MAX_SIDE, MAX_SIDE / 2), (9_999, 1), (1, 21)] {
            assert!(
                matches!(paint(&announced(width, height)), Err(ImageError::Limits(_))),
                "{width}×{height}"
            );
        }
    }

    /// Scaled before it was cut, the first of these took 7 GB.
    #[test]
    fn a_narrow_image_is_cut_before_it_is_scaled() {
        let line = saved(RgbImage::new(1, 9_999), ImageFormat::Png);
        assert!(matches!(paint(&line), Err(ImageError::Limits(_))));
        for (width, height) in [(400, 20), (20, 400)] {
            let wide = RgbImage::from_fn(width, height, |x, y| {
                let middle = x.abs_diff(width / 2) < 10 && y.abs_diff(height / 2) < 10;
                if middle { Rgb([0, 255, 0]) } else { Rgb([255, 0, 0]) }
            });
            let picture = opened(&paint(&saved(wide, ImageFormat::Png)).unwrap());
            assert!(picture.get_pixel(128, 128)[1] > 200, "its middle is kept");
        }
    }
}
