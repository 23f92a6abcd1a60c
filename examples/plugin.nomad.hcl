# The bundled storage plugin as an ordinary job, on every node. `cleat dev` submits one like it by itself.
variable "launcher" {
  type        = string
  description = "The path of the program ./cleat."
}

variable "pool" {
  type        = string
  description = "The directory in which volumes are kept."
}

job "local-plugin" {
  type = "system"

  group "local-plugin" {
    task "plugin" {
      driver = "raw_exec"

      config {
        command = var.launcher
        args    = ["local-plugin", "--pool", var.pool, "--node-id", "${node.unique.id}"]
      }

      env {
        # The agent starts what was built; it does not build.
        CLEAT_BUILD = "never"
      }

      csi_plugin {
        id   = "local"
        type = "monolith"
      }

      resources {
        cpu    = 100
        memory = 128
      }
    }
  }
}
