// Shows the contract of this very instance. Asks nothing of any other host: no validator, no fonts.
window.ui = SwaggerUIBundle({
  url: "/openapi/v1.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
  // The examples are for this host, so that they can be pasted.
  responseInterceptor: (response) => {
    if (response.url.endsWith("/openapi/v1.json") && response.text) {
      response.text = response.text.replaceAll("https://<this host>", location.origin);
    }
    return response;
  },
  // A change made with the session cookie must show that it is meant.
  requestInterceptor: (request) => {
    request.headers["X-Svc-Request"] = "1";
    return request;
  },
});
