# An image of the server, built from the sources. See docs/install.md.

FROM node:22-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN npm run build

FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates libstdc++6 \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --no-create-home ctxrepo \
  && install --directory --owner ctxrepo --mode 0700 /data /cache
COPY --from=build /source/dist/ctxrepo /usr/local/bin/ctxrepo
COPY --from=build /source/LICENSE /usr/share/doc/ctxrepo/
USER ctxrepo
ENV CTXREPO_DATA_DIR=/data \
  CTXREPO_CACHE_DIR=/cache \
  CTXREPO_HOST=0.0.0.0 \
  CTXREPO_ALLOW_REMOTE=1
VOLUME /data
EXPOSE 4817
# The image contains no curl. bash opens the connection itself.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["bash", "-c", "\
  exec 3<>/dev/tcp/127.0.0.1/4817 && \
  printf 'GET /health HTTP/1.1\\r\\nHost: 127.0.0.1:4817\\r\\nConnection: close\\r\\n\\r\\n' >&3 && \
  head -n 1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["ctxrepo"]
CMD ["serve"]
