# docker build -t specdec-lab . && docker run --rm -p 5006:5006 specdec-lab    then open http://localhost:5006/
# Under another name or port, say so:
# docker run … specdec-lab specdec serve --address 0.0.0.0 --allow-websocket-origin lab.example.org
FROM python:3.13-slim

WORKDIR /srv/specdec-lab
COPY . .
RUN python3 -m venv .venv
RUN .venv/bin/pip install --no-cache-dir .
RUN useradd --system specdec

USER specdec
ENV PATH=/srv/specdec-lab/.venv/bin:$PATH
EXPOSE 5006
HEALTHCHECK --start-period=20s CMD \
    ["python", "-c", "import urllib.request as r; r.urlopen('http://localhost:5006/liveness', timeout=3)"]
CMD ["specdec", "serve", "--address", "0.0.0.0"]
