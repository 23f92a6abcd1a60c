# Many groups out of one table.
variables {
  rack = "r1"
}

variable "sizes" {
  type    = map(number)
  default = { small = 1, large = 4 }
}

locals {
  names = [for name, count in var.sizes : name if count > 0]
  by_n  = { for name, count in var.sizes : "n${count % 2}" => name... }
}

job "fleet" {
  type        = "batch"
  datacenters = concat(["dc1"], [for i in range(2, 4) : "dc${i}"])

  meta {
    names = join(",", local.names)
    by_n  = jsonencode(local.by_n)
    rack  = var.rack == "" ? "none" : var.rack
  }

  dynamic "group" {
    for_each = var.sizes
    labels   = ["worker-${group.key}"]

    content {
      count = group.value

      dynamic "volume" {
        for_each = group.value > 1 ? ["a", "b"] : []
        labels   = [volume.value]
        content {
          type            = "csi"
          source          = "${group.key}-${volume.value}"
          access_mode     = "multi-node-multi-writer"
          attachment_mode = "file-system"
          per_alloc       = true
        }
      }

      dynamic "constraint" {
        for_each = [{ a = "$${meta.rack}", v = var.rack }]
        iterator = each
        content {
          attribute = each.value.a
          value     = each.value.v
        }
      }

      constraint {
        attribute = "${attr.cleat.version}"
        version   = ">= 0.1"
      }

      task "work" {
        driver = "raw_exec"
        config {
          command = "/bin/true"
          args    = [for n in range(group.value) : format("--n=%02d", n)]
          limits {
            files = 10
          }
          limits {
            files = 20
          }
        }

        dynamic "volume_mount" {
          for_each = group.value > 1 ? ["a", "b"] : []
          content {
            volume      = volume_mount.value
            destination = "/mnt/${volume_mount.value}"
          }
        }
      }
    }
  }
}
