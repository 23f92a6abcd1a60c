# A storage plugin as it is published, in an image, on nodes without a container engine: the Kubernetes host path driver.
# Its volumes are in the task's own directory, and gone with its allocation: for trying it out.
# The node lets it in: cleat agent -exec-allow-cap=sys_admin (cleat dev does).
variable "image" {
  type        = string
  description = "A name at a registry; or the path of an archive of docker save, in a directory of -exec-image-path."
  default     = "registry.k8s.io/sig-storage/hostpathplugin:v1.17.0"
}

job "hostpath-plugin" {
  type = "system"

  group "plugin" {
    task "plugin" {
      driver = "exec"
      user   = "root"

      config {
        image   = var.image
        args    = ["--drivername=hostpath", "--endpoint=${CSI_ENDPOINT}", "--nodeid=${node.unique.name}", "--statedir=/local"]
        cap_add = ["sys_admin"]
      }

      csi_plugin {
        id   = "hostpath"
        type = "monolith"
      }

      resources {
        cpu    = 100
        memory = 64
      }
    }
  }
}
