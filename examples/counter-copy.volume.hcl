# A volume with the content of a snapshot, or of another volume, at its plugin:
#   ./cleat volume snapshot create counter-data before-lunch
#   ./cleat volume create -var snapshot=ID examples/counter-copy.volume.hcl
variable "id" {
  type        = string
  default     = "counter-copy"
  description = "What the volume is called."
}

variable "snapshot" {
  type        = string
  default     = ""
  description = "The plugin's id of the snapshot to begin with."
}

variable "clone" {
  type        = string
  default     = ""
  description = "Instead: the plugin's id of the volume to begin with."
}

id          = var.id
name        = var.id
type        = "csi"
plugin_id   = "local"
snapshot_id = var.snapshot
clone_id    = var.clone

capability {
  access_mode     = "single-node-writer"
  attachment_mode = "file-system"
}

mount_options {
  fs_type = "ext4"
}
