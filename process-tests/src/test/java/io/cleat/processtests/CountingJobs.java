package io.cleat.processtests;

import java.nio.file.Path;

/**
 * Jobs that count ten times a second, and the volumes that they do it in: whether they went on shows in the numbers.
 */
final class CountingJobs {
    private CountingJobs() {}

    /** Counts from the volume's last number on; needs the volume. */
    static String inVolume(String name, String volume) {
        return """
        job "%1$s" {
          group "g" {
            volume "data" {
              type            = "csi"
              source          = "%2$s"
              access_mode     = "single-node-writer"
              attachment_mode = "file-system"
            }
            task "count" {
              driver = "raw_exec"
              config {
                command = "/bin/sh"
                args = ["-c", <<-SCRIPT
                  n=$(tail -n 1 "$CLEAT_VOLUME_data/numbers" 2>/dev/null || echo 0)
                  while true; do
                    n=$((n + 1))
                    echo "$n" >>"$CLEAT_VOLUME_data/numbers"
                    echo "$n"
                    sleep 0.1
                  done
                  SCRIPT
                ]
              }
              volume_mount {
                volume      = "data"
                destination = "data"
              }
              resources {
                cpu    = 200
                memory = 32
              }
            }
          }
        }
        """.formatted(name, volume);
    }

    /** Writes its process id again and again; needs no volume, and so no plugin. */
    static String ofProcess(String job, Path numbers) {
        return """
        job "%1$s" {
          group "g" {
            ephemeral_disk {
              size = 10
            }
            task "count" {
              driver = "raw_exec"
              config {
                command = "/bin/sh"
                args    = ["-c", "while true; do echo $$ >>%2$s; sleep 0.1; done"]
              }
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
        """.formatted(job, numbers);
    }
}
