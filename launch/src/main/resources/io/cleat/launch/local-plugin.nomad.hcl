# The bundled storage plugin, run as any other plugin is: a system job with a csi_plugin block.

variable "launcher" {
  type        = string
  description = "the ./cleat program"
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
      driver = "raw_exec"

      config {
        command = var.launcher
        args = [
          "local-plugin",
          "--pool", var.pool,
          "--node-id", "${node.unique.id}",
          "--call-log", var.calls,
          "--check-lifecycle",
        ]
      }

      env {
        CLEAT_BUILD = "never"
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
