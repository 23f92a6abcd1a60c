# A volume that grows in use: create it again with more, -var capacity=640MiB.
variable "type" {
  type        = string
  default     = "xfs"
  description = "xfs, btrfs or ext4. A mounted ext4 grows only where the plugin has CAP_SYS_RESOURCE."
}

variable "capacity" {
  type        = string
  default     = "320MiB"
  description = "How large it is at least."
}

id           = "growing-data"
name         = "growing-data"
type         = "csi"
plugin_id    = "local"
capacity_min = var.capacity

capability {
  access_mode     = "single-node-writer"
  attachment_mode = "file-system"
}

mount_options {
  fs_type = var.type
}

parameters {
  type = var.type
}
