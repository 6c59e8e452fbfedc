# Builds ota and puts it, alone, into a small image.
#
#   docker build -t ota .
#   docker run -p 8443:8443 -p 8080:8080 -v ota-store:/var/lib/ota ota \
#     serve --host 0.0.0.0 --base-url https://ota.example.com:8443

FROM swift:6.3-bookworm AS build
WORKDIR /source
RUN apt-get update \
 && apt-get install -y --no-install-recommends libssl-dev zlib1g-dev pkg-config \
 && rm -rf /var/lib/apt/lists/*
COPY Package.swift ./
COPY Plugins Plugins
COPY Sources Sources
COPY Tests Tests
COPY templates templates
COPY public public
COPY languages languages
COPY agent agent
COPY docs/testers*.md docs/
RUN swift build -c release --static-swift-stdlib --product ota \
 && install -D -s "$(swift build -c release --static-swift-stdlib --show-bin-path)/ota" /out/ota

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends libssl3 zlib1g libstdc++6 ca-certificates curl git jq \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --home-dir /var/lib/ota --create-home --shell /usr/sbin/nologin ota
COPY --from=build /out/ota /usr/local/bin/ota
USER ota
WORKDIR /var/lib/ota
ENV OTA_STORE=/var/lib/ota/store
VOLUME /var/lib/ota
EXPOSE 8443 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s \
  CMD curl --fail --silent --insecure https://127.0.0.1:8443/healthz || exit 1
ENTRYPOINT ["ota"]
CMD ["serve", "--host", "0.0.0.0"]
