# The controller half of the bundled storage plugin: once, on a node that has the pool. Its other half is
# split-plugin-node.nomad.hcl.
variable "launcher" {
  type        = string
  description = "The path of the program ./cleat."
}

variable "pool" {
  type        = string
  description = "The directory in which volumes are kept, the same for both halves."
}

job "local-controller" {
  type = "service"

  group "local-controller" {
    task "plugin" {
      driver = "raw_exec"

      config {
        command = var.launcher
        args    = ["local-plugin", "--type", "controller", "--pool", var.pool]
      }

      env {
        # The agent starts what was built; it does not build.
        CLEAT_BUILD = "never"
      }

      csi_plugin {
        id   = "local"
        type = "controller"
      }

      resources {
        cpu    = 100
        memory = 128
      }
    }
  }
}
