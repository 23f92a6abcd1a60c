# Everything that a library got wrong, in one file.
variable "image" {
  type    = string
  default = "busybox:1.36"
}

variable "n" {
  type    = number
  default = 3
}

variable "ports" {
  type = list(object({
    name = string
    port = optional(number, 80)
  }))
  default = [{ name = "http" }, { name = "admin", port = 8080 }]
}

locals {
  dc    = "dc${var.n}"
  tags  = { for p in var.ports : p.name => "port-${p.port}" }
  upper = upper("ab${var.n}-${var.image}")
}

job "synthetic" {
  datacenters = [local.dc]
  meta        = local.tags

  group "g" {
    count = var.n + 2

    volume "data" {
      type            = "csi"
      source          = format("vol[%03d]", var.n)
      access_mode     = "single-node-writer"
      attachment_mode = "file-system"
    }

    network {
      dynamic "port" {
        for_each = var.ports
        iterator = p
        labels   = [p.value.name]
        content {
          to = p.value.port
        }
      }
    }

    task "t" {
      driver = "raw_exec"

      config {
        command = "/bin/sh"
        args    = ["-c", "echo ${NOMAD_ALLOC_ID} ${var.image}"]
      }

      template {
        destination = "local/run.sh"
        data        = <<-EOF
          image=${var.image}
            literal=$${HOME}
          EOF
      }

      env {
        LOUD = local.upper
      }
    }
  }
}
