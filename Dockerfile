# kiano-gpu on a server with NVIDIA GPUs, or on any processor through PoCL:
#
#   docker build -t kiano-gpu .
#   docker run --rm --gpus all -v ~/Pictures:/pictures:ro -v ~/map:/map kiano-gpu sort /pictures -o /map/library
#
# The page links to the pictures by their paths in the container: mount them where they are outside
# (-v ~/Pictures:$HOME/Pictures:ro) to open originals from it. For other GPUs install their OpenCL driver in the last stage.

FROM swift:6.3-bookworm AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends dpkg-dev libturbojpeg0-dev libjpeg62-turbo-dev libpng-dev libwebp-dev \
      libgif-dev libtiff-dev libheif-dev liblcms2-dev libxxhash-dev libsqlite3-dev opencl-c-headers \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN scripts/make-deb && mv dist/*.deb /kiano-gpu.deb

FROM debian:bookworm-slim
COPY --from=build /kiano-gpu.deb /tmp/
RUN apt-get update \
 && apt-get install -y --no-install-recommends /tmp/kiano-gpu.deb ocl-icd-libopencl1 pocl-opencl-icd \
 && rm -rf /var/lib/apt/lists/* /tmp/kiano-gpu.deb \
 # The NVIDIA container toolkit brings the driver; this is how the loader finds it.
 && mkdir -p /etc/OpenCL/vendors && echo libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd
ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility
# Built kernels are kept between runs where this is a volume.
ENV XDG_CACHE_HOME=/cache
RUN useradd --create-home kiano && mkdir /cache /map && chown kiano /cache /map
USER kiano
WORKDIR /map
VOLUME ["/cache"]
ENTRYPOINT ["kiano-gpu"]
CMD ["--help"]
