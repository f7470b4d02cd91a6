# The image of Purser's server: docs/operate/deploy.md. e2e/test/image.test.ts follows the steps without a container engine.

# The dashboard and the documents.
FROM node:24-bookworm-slim AS pages
WORKDIR /purser
COPY . .
RUN npm ci --omit=dev --ignore-scripts --workspace dashboard --workspace docs
RUN npm run build:dashboard && npm run build:docs

# The packages that the server needs. Others come with `contracts`, of which it reads only the ABIs.
FROM node:24-bookworm-slim AS packages
WORKDIR /purser
COPY . .
RUN npm ci --omit=dev --ignore-scripts --workspace service && rm -r node_modules/viem node_modules/@foundry-rs node_modules/typescript

FROM gcr.io/distroless/nodejs24-debian12:nonroot
WORKDIR /purser
ENV PATH="/purser/bin:/nodejs/bin:$PATH"
COPY --from=packages /purser/node_modules node_modules
COPY --from=packages /purser/service/node_modules service/node_modules
COPY --from=pages /purser/dashboard/dist dashboard/dist
COPY --from=pages /purser/docs/dist docs/dist
COPY openapi/openapi.json openapi/
COPY contracts/package.json contracts/
COPY contracts/abi contracts/abi
COPY service/package.json service/
COPY service/src service/src
COPY deploy/purser-admin bin/
USER 65532:65532
EXPOSE 8080 9464
ENTRYPOINT ["/nodejs/bin/node"]
CMD ["service/src/bin/serve.ts"]
