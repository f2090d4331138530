#!/bin/sh
# Deploys infra/template.yaml to the engine at AWS_ENDPOINT_URL, as it would be deployed to AWS.
set -eu
cd "$(dirname "$0")/../infra"
tries=0
until aws sts get-caller-identity >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 60 ] || { echo "init: nothing answers at $AWS_ENDPOINT_URL" >&2; exit 1; }
    sleep 1
done
aws s3 mb s3://deployments >/dev/null 2>&1 || true
sam deploy --template-file template.yaml --stack-name svc --s3-bucket deployments --capabilities CAPABILITY_IAM \
    --no-confirm-changeset --no-fail-on-empty-changeset --parameter-overrides "BaseUrl=${BASE_URL:-}"
aws cloudformation describe-stacks --stack-name svc --query 'Stacks[0].Outputs' --output table
