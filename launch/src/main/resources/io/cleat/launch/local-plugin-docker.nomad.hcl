# The bundled storage plugin in a container of an engine that speaks Docker's API, from its image.

variable "image" {
  type        = string
  description = "the name of its image, which the engine has"
}

variable "pool" {
  type        = string
  description = "the directory that volumes are kept in"
}

variable "calls" {
  type        = string
  description = "the file that each call is written to"
}

job "local-plugin" {
  type = "system"

  group "plugin" {
    # A plugin is needed as long as anything is mounted: it is never given up.
    restart {
      attempts = 3
      interval = "1m"
      delay    = "1s"
      mode     = "delay"
    }

    # It keeps nothing but its output: volumes lie in the pool.
    ephemeral_disk {
      size = 64
    }

    task "plugin" {
      driver = "docker"

      config {
        image = var.image
        args = [
          "--pool", var.pool,
          "--node-id", "${node.unique.id}",
          "--call-log", var.calls,
          "--check-lifecycle",
        ]
        # It mounts, and sets up loop devices, whose files the machine must find where the plugin does.
        privileged   = true
        volumes      = ["${var.pool}:${var.pool}", "${var.calls}:${var.calls}"]
        network_mode = "none"
      }

      csi_plugin {
        id             = "local"
        type           = "monolith"
        health_timeout = "1m"
      }

      logs {
        max_files     = 2
        max_file_size = 5
      }

      resources {
        cpu    = 100
        memory = 128
      }
    }
  }
}
