package io.cleat.processtests;

import java.util.List;

/** Job and volume files of the tests. */
final class Words {
    private static final String ONE = "single-node-writer";
    private static final String MANY = "multi-node-multi-writer";

    private Words() {}

    /** A directory volume that any number may write. */
    static String directory(String id) {
        return volume(id, "directory");
    }

    /** An ext4 image of 16 MiB over a loop device, for one writer. */
    static String image(String id) {
        return volume(id, "ext4");
    }

    /** A raw block device for one writer. */
    static String device(String id, int mebibytes) {
        return volume(id, "block").replace("file-system", "block-device").replace("16MiB", mebibytes + "MiB");
    }

    /** A directory volume for one writer. */
    static String oneWritersDirectory(String id) {
        return volume(id, "directory", ONE);
    }

    /** Likewise, of another plugin than the usual one. */
    static String oneWritersDirectory(String id, String plugin) {
        return oneWritersDirectory(id).replace("\"local\"", "\"" + plugin + "\"");
    }

    private static String volume(String id, String type) {
        return volume(id, type, type.equals("directory") ? MANY : ONE);
    }

    static String volume(String id, String type, String mode) {
        return """
        id           = "%s"
        name         = "%s"
        type         = "csi"
        plugin_id    = "local"
        capacity_min = "16MiB"

        capability {
          access_mode     = "%s"
          attachment_mode = "file-system"
        }

        parameters {
          type = "%s"
        }
        """.formatted(id, id, mode, type);
    }

    /** A job that appends to the file {@code beat} of its volume ten times a second. */
    static String beating(String id, String volume) {
        return job(id, volume, MANY, "while :; do echo $$ >>$CLEAT_VOLUME_data/beat; sleep 0.1; done");
    }

    /** Has a volume, and leaves it alone. */
    static String having(String id, String volume) {
        return job(id, volume, MANY, "while :; do sleep 0.1; done");
    }

    /** A volume of the plugin {@code fuse}, which has it. */
    static String ofFuse(String id) {
        return directory(id)
                .replace("\"local\"", "\"fuse\"\nexternal_id = \"" + id + "\"")
                .replace("parameters {\n  type = \"directory\"\n}", "");
    }

    /** The job of the plugin {@code fuse}, whose mounts die with it. */
    static String fusePlugin(String onMountLoss, List<String> command) {
        return """
        job "fuse" {
          type = "system"
          group "g" {
            restart {
              attempts = 20
              interval = "10m"
              delay    = "1s"
              mode     = "delay"
            }
            ephemeral_disk {
              size = 10
            }
            task "plugin" {
              driver = "raw_exec"
              config {
                command = "%s"
                args    = ["%s"]
              }
              csi_plugin {
                id            = "fuse"
                type          = "node"
                holds_mounts  = true
                on_mount_loss = "%s"
              }
              logs {
                max_files     = 1
                max_file_size = 1
              }
              resources {
                cpu    = 200
                memory = 256
              }
            }
          }
        }
        """.formatted(
                        command.getFirst(), String.join("\", \"", command.subList(1, command.size())), onMountLoss);
    }

    /** A job that keeps its volume and ignores SIGTERM, so that it is killed two seconds later. */
    static String stubborn(String id, String volume) {
        return job(id, volume, MANY, "trap '' TERM; while :; do sleep 0.1; done");
    }

    /** A job that writes alone, and adds a line to {@code starts} each time it starts. */
    static String counting(String id, String volume) {
        return job(id, volume, ONE, "echo start >>$CLEAT_VOLUME_data/starts; while :; do sleep 0.1; done");
    }

    /** A job that runs a script with its device at {@code $CLEAT_VOLUME_data}. */
    static String onDevice(String id, String volume, boolean readOnly, String script) {
        return job(id, volume, ONE, script)
                .replace("\"file-system\"", "\"block-device\"\nread_only = " + readOnly)
                .replace("destination = \"data\"", "destination = \"/dev/disk\"");
    }

    /**
     * A job that writes alone, and goes on counting in the file {@code numbers} where the writer before it ended: two
     * at a time would leave a wrong number.
     */
    static String numbering(String id, String volume) {
        return job(
                id,
                volume,
                ONE,
                "n=$(tail -n 1 $CLEAT_VOLUME_data/numbers 2>/dev/null || echo 0); while :; do"
                        + " n=$((n + 1)); echo $n >>$CLEAT_VOLUME_data/numbers; sleep 1; done");
    }

    private static String job(String id, String volume, String mode, String script) {
        return """
        job "%s" {
          type = "service"
          group "g" {
            volume "data" {
              type            = "csi"
              source          = "%s"
              access_mode     = "%s"
              attachment_mode = "file-system"
            }
            restart {
              delay = "1s"
            }
            ephemeral_disk {
              size = 10
            }
            task "t" {
              driver = "raw_exec"
              config {
                command = "/bin/sh"
                args    = ["-c", "%s"]
              }
              volume_mount {
                volume      = "data"
                destination = "data"
              }
              kill_timeout = "2s"
              logs {
                max_files     = 1
                max_file_size = 1
              }
              resources {
                cpu    = 100
                memory = 16
              }
            }
          }
        }
        """.formatted(id, volume, mode, script);
    }
}
