package io.cleat.cli;

/** The volume file that {@code volume init} writes. */
final class VolumeExample {
    private static final String HCL = """
            # A volume. `cleat volume create FILE` has the plugin make it; `cleat volume register FILE`
            # registers one that exists there, and then needs its external_id.
            id        = "example"
            name      = "example"
            type      = "csi"
            plugin_id = "local"

            # How much storage at least and at most: 64MiB, 10GiB (powers of 1024), 10GB (powers of 1000).
            capacity_min = "64MiB"
            capacity_max = "64MiB"

            # Every way in which jobs may claim it. access_mode: single-node-reader-only, single-node-writer,
            # single-node-multi-writer, multi-node-reader-only, multi-node-single-writer, multi-node-multi-writer.
            # attachment_mode: file-system, block-device.
            capability {
              access_mode     = "single-node-writer"
              attachment_mode = "file-system"
            }

            # How it is mounted; both are optional.
            mount_options {
              fs_type     = "ext4"
              mount_flags = ["noatime"]
            }

            # What the plugin wants to know; see its own documentation.
            # parameters {
            #   key = "value"
            # }

            # Credentials for the plugin. They are stored encrypted and never shown again.
            # secrets {
            #   key = "value"
            # }
            """;

    private static final String JSON = """
            {
              "id": "example",
              "name": "example",
              "type": "csi",
              "plugin_id": "local",
              "capacity_min": "64MiB",
              "capacity_max": "64MiB",
              "capability": [
                {
                  "access_mode": "single-node-writer",
                  "attachment_mode": "file-system"
                }
              ],
              "mount_options": {
                "fs_type": "ext4",
                "mount_flags": ["noatime"]
              }
            }
            """;

    private static final String HOST_HCL = """
            # A directory of a node. "cleat volume create" has a node make it, "cleat volume register" takes in
            # one that is there, and then needs node_id and host_path, and no plugin_id.
            name      = "example"
            type      = "host"
            plugin_id = "mkdir"

            # Where it is made; without them on any node that may have it.
            # node_pool = "default"
            # constraint {
            #   attribute = "${attr.kernel.name}"
            #   value     = "linux"
            # }

            # Every way in which jobs may claim it. access_mode: single-node-reader-only, single-node-writer,
            # single-node-single-writer, single-node-multi-writer.
            capability {
              access_mode = "single-node-single-writer"
            }

            # Of mkdir: whose the directory is, in numbers (nobody's without them), and who may do what.
            parameters {
              mode = "0700"
            }
            """;

    private static final String HOST_JSON = """
            {
              "name": "example",
              "type": "host",
              "plugin_id": "mkdir",
              "capability": [
                {
                  "access_mode": "single-node-single-writer"
                }
              ],
              "parameters": {
                "mode": "0700"
              }
            }
            """;

    private VolumeExample() {}

    static String text(boolean isHost, boolean json) {
        if (isHost) {
            return json ? HOST_JSON : HOST_HCL;
        }
        return json ? JSON : HCL;
    }
}
