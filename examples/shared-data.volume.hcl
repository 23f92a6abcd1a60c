# A directory of the plugin's pool, for any number of writers.
id        = "shared-data"
name      = "shared-data"
type      = "csi"
plugin_id = "local"

capability {
  access_mode     = "multi-node-multi-writer"
  attachment_mode = "file-system"
}

parameters {
  type = "directory"
}
