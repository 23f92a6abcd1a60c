# The bundled plugin as an ordinary system job.
variable "launcher" {
  type        = string
  description = "The program that starts the plugin."
}

variable "data_dir" {
  type    = string
  default = "/var/lib/cleat-local"
  validation {
    condition     = length(split("/", var.data_dir)) > 1
    error_message = "The directory ${var.data_dir} is not absolute."
  }
}

job "local-plugin" {
  type     = "system"
  priority = 80

  constraint {
    attribute = "${attr.kernel.name}"
    value     = "linux"
  }

  group "plugin" {
    restart {
      attempts = 10
      interval = "30m"
      delay    = "5s"
      mode     = "delay"
    }

    task "plugin" {
      driver       = "raw_exec"
      kill_timeout = "20s"

      config {
        command = var.launcher
        args = [
          "local-plugin",
          "--endpoint=${CSI_ENDPOINT}",
          "--node-id=${node.unique.name}",
          "--data-dir=${var.data_dir}",
        ]
      }

      csi_plugin {
        id                     = "local"
        type                   = "monolith"
        mount_dir              = "/csi"
        health_timeout         = "1m30s"
        stage_publish_base_dir = "${var.data_dir}/publish"
      }

      logs {
        max_files     = 3
        max_file_size = 2
      }

      resources {
        cpu    = 50
        memory = 64
      }
    }
  }
}
