# The node half of the bundled storage plugin: on every node that shares the pool. Its other half is
# split-plugin-controller.nomad.hcl.
variable "launcher" {
  type        = string
  description = "The path of the program ./cleat."
}

variable "pool" {
  type        = string
  description = "The directory in which volumes are kept, the same for both halves."
}

job "local-node" {
  type = "system"

  group "local-node" {
    task "plugin" {
      driver = "raw_exec"

      config {
        command = var.launcher
        args    = ["local-plugin", "--type", "node", "--pool", var.pool, "--node-id", "${node.unique.id}"]
      }

      env {
        # The agent starts what was built; it does not build.
        CLEAT_BUILD = "never"
      }

      csi_plugin {
        id   = "local"
        type = "node"
      }

      resources {
        cpu    = 100
        memory = 128
      }
    }
  }
}
