# A web server that others find by its name, and a task that writes down where it is. Then: cleat service info hello

variable "driver" {
  default = "raw_exec"
}

job "hello" {
  group "web" {
    network {
      port "http" {}
    }

    service {
      name     = "hello"
      port     = "http"
      provider = "nomad"
      tags     = ["example"]

      check {
        type     = "http"
        path     = "/"
        interval = "5s"
        timeout  = "2s"

        check_restart {
          limit = 3
          grace = "10s"
        }
      }
    }

    task "server" {
      driver = var.driver

      config {
        command = "python3"
        args    = ["-m", "http.server", "${NOMAD_PORT_http}"]
      }
    }
  }

  group "reader" {
    task "reader" {
      driver = var.driver

      config {
        command = "/bin/sh"
        args    = ["-c", "while sleep 5; do cat $NOMAD_TASK_DIR/places; done"]
      }

      template {
        data        = "{{ range nomadService \"hello\" }}hello is at {{ .Address }}:{{ .Port }}\n{{ end }}"
        destination = "local/places"
        change_mode = "noop"
      }
    }
  }
}
