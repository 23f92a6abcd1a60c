# A web server in a network of its allocation's own, and a task beside it that asks it at 127.0.0.1. Where others reach it: cleat alloc status

job "inside" {
  group "web" {
    network {
      mode = "bridge"

      port "http" {
        to = 8080
      }
    }

    task "server" {
      driver = "exec"

      config {
        command = "python3"
        args    = ["-m", "http.server", "-d", "${NOMAD_TASK_DIR}", "${NOMAD_PORT_http}"]
      }
    }

    task "beside" {
      driver = "exec"

      config {
        command = "python3"
        args = ["-c", <<-EOT
          import time, urllib.request
          while True:
              time.sleep(5)
              print(urllib.request.urlopen("http://127.0.0.1:8080/").status, flush=True)
          EOT
        ]
      }
    }
  }
}
