package io.cleat.bench;

import io.cleat.api.CsiVolume;
import io.cleat.api.Job;
import io.cleat.base.InvariantBroken;
import io.cleat.jobspec.JobFile;
import io.cleat.jobspec.Parsed;
import io.cleat.jobspec.VolumeFile;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import java.nio.file.Path;

/** The jobs and volumes of the measurements, as a user would write them. */
final class Specs {
    private Specs() {}

    /** A directory of the bundled plugin. */
    static CsiVolume directory(String id) {
        return volume("""
                id        = "%s"
                name      = "%s"
                type      = "csi"
                plugin_id = "local"
                capability {
                  access_mode     = "single-node-writer"
                  attachment_mode = "file-system"
                }
                parameters {
                  type = "directory"
                }
                """.formatted(id, id));
    }

    /** An ext4 image of 64 MiB of the bundled plugin. */
    static CsiVolume ext4(String id) {
        return volume("""
                id           = "%s"
                name         = "%s"
                type         = "csi"
                plugin_id    = "local"
                capacity_min = "64MiB"
                capacity_max = "64MiB"
                capability {
                  access_mode     = "single-node-writer"
                  attachment_mode = "file-system"
                }
                mount_options {
                  fs_type = "ext4"
                }
                parameters {
                  type = "ext4"
                }
                """.formatted(id, id));
    }

    /** A service of one task that has a volume and runs a shell script. */
    static Job workload(String id, String volume, String script) {
        return job("""
                job "%s" {
                  type = "service"
                  group "g" {
                    volume "data" {
                      type            = "csi"
                      source          = "%s"
                      access_mode     = "single-node-writer"
                      attachment_mode = "file-system"
                    }
                    task "t" {
                      driver = "raw_exec"
                      config {
                        command = "/bin/sh"
                        args    = ["-c", %s]
                      }
                      volume_mount {
                        volume      = "data"
                        destination = "data"
                      }
                      resources {
                        cpu    = 1
                        memory = 10
                      }
                    }
                  }
                }
                """.formatted(id, volume, quoted(script)));
    }

    /** The bundled plugin without its controller, so that no volume of it is asked after. */
    static Job nodePlugin(String id, Path pool) {
        return job("""
                job "%s" {
                  type = "system"
                  group "g" {
                    task "t" {
                      driver = "raw_exec"
                      config {
                        command = "%s"
                        args    = ["local-plugin", "--type", "node", "--pool", "%s", "--node-id", "%s"]
                      }
                      env {
                        CLEAT_BUILD = "never"
                      }
                      csi_plugin {
                        id   = "%s"
                        type = "node"
                      }
                      resources {
                        cpu    = 10
                        memory = 128
                      }
                    }
                  }
                }
                """.formatted(id, Launcher.path(), pool, id, id));
    }

    /** A plugin whose task, {@code t}, only sleeps: who listens on its socket is another matter. */
    static Job sleepingPlugin(String id) {
        return job("""
                job "%s" {
                  type = "service"
                  group "g" {
                    task "t" {
                      driver = "raw_exec"
                      config {
                        command = "/bin/sleep"
                        args    = ["1000"]
                      }
                      csi_plugin {
                        id             = "%s"
                        type           = "monolith"
                        health_timeout = "5m"
                      }
                      resources {
                        cpu    = 1
                        memory = 10
                      }
                    }
                  }
                }
                """.formatted(id, id));
    }

    /** A task in a container that only sleeps. */
    static Job sleeper(String id) {
        return job("""
                job "%s" {
                  type = "service"
                  group "g" {
                    task "t" {
                      driver = "exec"
                      config {
                        command = "/bin/sleep"
                        args    = ["100000"]
                      }
                      resources {
                        cpu    = 1000
                        memory = 64
                      }
                    }
                  }
                }
                """.formatted(id));
    }

    private static String quoted(String script) {
        return '"' + script.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    private static Job job(String text) {
        return good(JobFile.parse(Source.of("bench", text), Variables.none(), RuntimeValues.real()));
    }

    private static CsiVolume volume(String text) {
        return good(VolumeFile.parse(Source.of("bench", text), Variables.none(), RuntimeValues.real()));
    }

    private static <T> T good(Parsed<T> parsed) {
        return switch (parsed) {
            case Parsed.Good<T>(T value) -> value;
            case Parsed.Bad<T> bad -> throw new InvariantBroken("a spec is good", bad.lines());
        };
    }
}
