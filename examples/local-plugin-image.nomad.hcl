# The bundled storage plugin from its image, which `./dev image` packs: on nodes without Java, and without a container engine.
# The node lets it in: cleat agent -exec-image-path=DIR -exec-allow-cap=sys_admin -exec-allow-path=POOL -exec-allow-path=/dev
# (cleat dev does).
variable "image" {
  type        = string
  description = "the file that ./dev image has written, on each node; or a name at a registry"
  default     = "/var/lib/cleat-images/local-plugin.tar"
}

variable "pool" {
  type        = string
  description = "the directory that volumes are kept in, on each node"
  default     = "/var/lib/cleat-pool"
}

job "local-plugin-image" {
  type = "system"

  group "plugin" {
    task "plugin" {
      driver = "exec"
      user   = "root"

      config {
        image      = var.image
        args       = ["--pool", var.pool, "--node-id", "${node.unique.id}"]
        # It mounts, and sets up loop devices; to grow an ext4 that is mounted it takes sys_resource too.
        cap_add    = ["sys_admin"]
        host_paths = [var.pool, "/dev"]
      }

      csi_plugin {
        id             = "local-image"
        type           = "monolith"
        health_timeout = "1m"
      }

      resources {
        cpu    = 100
        memory = 128
      }
    }
  }
}
