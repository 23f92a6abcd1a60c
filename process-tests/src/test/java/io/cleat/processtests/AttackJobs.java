package io.cleat.processtests;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Job files of the parties of an attack, and of the neighbour that is to notice nothing. */
final class AttackJobs {
    private static final String USUAL = "";
    private static final String KEEPING = """
            restart {
              attempts         = 300
              interval         = "10m"
              delay            = "1s"
              mode             = "delay"
              render_templates = false
            }
            """;

    private AttackJobs() {}

    /** Each of its tasks counts, ten times a second, in what it prints. */
    static String neighbour() {
        return """
        job "neighbour" {
          group "g" {
            restart {
              attempts = 0
            }
            reschedule {
              attempts = 0
            }
        """
                + counter("usual", "exec", USUAL)
                + counter("contained", "exec", "root")
                + counter("raw", "raw_exec", "root")
                + "}\n}\n";
    }

    private static String counter(String task, String driver, String user) {
        return """
        task "%s" {
          driver = "%s"
          user   = "%s"
          config {
            command = "/bin/sh"
            args    = ["-c", "echo of-the-neighbour >secrets/own; n=0; while :; do n=$((n + 1)); echo $n; sleep 0.1; done"]
          }
          env {
            OWN_SECRET = "of-the-neighbour"
          }
          resources {
            cpu    = 100
            memory = 32
          }
        }
        """.formatted(task, driver, user);
    }

    /** A task that runs the attacker once, with these words before its settings. */
    static String party(String job, String user, String url, String... words) {
        String arguments = Stream.concat(Stream.of(words), Stream.of("/local/a/settings"))
                .map("\"%s\""::formatted)
                .collect(Collectors.joining(", "));
        return """
        job "%s" {
          type = "batch"
          group "g" {
            restart {
              attempts = 0
              mode     = "fail"
            }
            reschedule {
              attempts = 0
            }
            task "t" {
              driver = "exec"
              user   = "%s"
              config {
                command = "/local/a/attacker"
                args    = [%s]
              }
              artifact {
                source      = "%s"
                destination = "local/a"
              }
              resources {
                cpu    = 100
                memory = %d
              }
            }
          }
        }
        """.formatted(job, user, arguments, url, job.startsWith("floods") ? 768 : 128);
    }

    /**
     * A place that a task changes, and what its job makes of it at the next start.
     *
     * @param task the task's name
     * @param place what is planted at
     * @param shown what may show what a link leads to
     * @param block what of the task's block has to do with it
     * @param byAnother whether a task that runs before it plants there
     */
    record Place(String task, String place, String shown, String block, boolean byAnother) {}

    private static final List<Place> PLACES = List.of(
            own("template_file", "/local/conf", "", template("local/conf", "rendered", "")),
            own("template_parent", "/local/in", "/file", template("local/in/file", "rendered", "")),
            own("template_grandparent", "/local/up", "/in/file", template("local/up/in/file", "rendered", "")),
            own("template_shared", "/alloc/data/shared", "/file", template("/alloc/data/shared/file", "rendered", "")),
            own(
                    "template_perms",
                    "/local/perms",
                    "",
                    template("local/perms", "rendered", "perms = \"6777\"\nuid = 12345")),
            own("template_secret", "/secrets/conf", "", template("secrets/conf", "rendered", "")),
            own("template_variables", "/secrets/env", "", template("secrets/env", "A=b", "env = true")),
            new Place(
                    "template_read",
                    "/local/read",
                    "/local/out",
                    template("local/read", "first", "") + template("local/out", "{{ file \\\"local/read\\\" }}", ""),
                    false),
            new Place(
                    "template_source",
                    "/local/source",
                    "/local/out",
                    template("local/source", "first", "")
                            + "template {\nsource = \"local/source\"\n"
                            + "destination = \"local/out\"\n}\n",
                    false),
            new Place("work_directory", "/local/work", "/proc/self/cwd", "", false),
            new Place(
                    "volume_parent",
                    "/alloc/data/mounted",
                    "/alloc/data/mounted/volume",
                    volume("/alloc/data/mounted/volume"),
                    false),
            another("planted_template", "/alloc/data/p1", template("/alloc/data/p1/file", "rendered", "")),
            another("planted_read", "/alloc/data/p2", template("local/out", "{{ file \\\"/alloc/data/p2\\\" }}", "")),
            another("planted_artifact", "/alloc/data/p3", artifact("${NOMAD_ALLOC_DIR}/data/p3", "")),
            another("planted_artifact_parent", "/alloc/data/p4", artifact("${NOMAD_ALLOC_DIR}/data/p4/in/it", "")),
            another(
                    "planted_artifact_file",
                    "/alloc/data/p5",
                    artifact("${NOMAD_ALLOC_DIR}/data/p5", "mode = \"file\"\noptions {\narchive = \"false\"\n}\n")),
            another("planted_volume", "/alloc/data/p6", volume("/alloc/data/p6/volume")));

    private static Place own(String task, String place, String below, String block) {
        return new Place(task, place, place + below, block, false);
    }

    private static Place another(String task, String place, String block) {
        return new Place(task, place, "/local/out", block, true);
    }

    private static String template(String destination, String data, String more) {
        return "template {\ndestination = \"%s\"\ndata = \"%s\"\n%s\n}\n".formatted(destination, data, more);
    }

    private static String volume(String destination) {
        return "volume_mount {\nvolume = \"data\"\ndestination = \"%s\"\n}\n".formatted(destination);
    }

    private static String artifact(String destination, String more) {
        return "artifact {\nsource = \"URL\"\ndestination = \"%s\"\n%s}\n".formatted(destination, more);
    }

    /** The tasks of a job of swaps, in its order. */
    static List<Place> places() {
        return PLACES;
    }

    /**
     * A job whose tasks each plant one thing at a place of theirs, fail, and look at it at their next start; and one
     * that plants before others are prepared.
     */
    static String swaps(String job, String user, String url, String kind) {
        StringBuilder tasks = new StringBuilder();
        String planted = PLACES.stream()
                .filter(Place::byAnother)
                .map(place -> ", \"" + place.place() + "\"")
                .collect(Collectors.joining());
        tasks.append(swapper(
                "planter",
                user,
                "\"plant\", \"" + kind + "\"" + planted,
                "lifecycle {\nhook = \"prestart\"\n}\n"
                        + artifact("${NOMAD_ALLOC_DIR}/data/a", "").replace("URL", url)));
        for (Place place : PLACES) {
            String words = place.byAnother()
                    ? "\"look\", \"%s\", \"%s\"".formatted(place.place(), place.shown())
                    : "\"swap\", \"%s\", \"%s\", \"%s\", \"%s\""
                            .formatted(kind, place.place(), place.task(), place.shown());
            tasks.append(swapper(place.task(), user, words, place.block().replace("URL", url)));
        }
        return """
        job "%s" {
          type = "batch"
          group "g" {
            volume "data" {
              type            = "csi"
              source          = "swapped"
              access_mode     = "multi-node-multi-writer"
              attachment_mode = "file-system"
            }
            restart {
              attempts         = 300
              interval         = "10m"
              delay            = "1s"
              mode             = "delay"
              render_templates = true
            }
            reschedule {
              attempts = 0
            }
            %s
          }
        }
        """.formatted(job, tasks);
    }

    private static String swapper(String task, String user, String words, String block) {
        // What a template has made is to stay as the task left it, where another one reads it.
        boolean keeps = task.equals("template_read") || task.equals("template_source");
        return """
        task "%s" {
          driver = "exec"
          user   = "%s"
          config {
            command = "/alloc/data/a/attacker"
            args    = [%s, "/alloc/data/a/settings"]
            %s
          }
          %s
          %s
          logs {
            max_files     = 1
            max_file_size = 1
          }
          resources {
            cpu    = 5
            memory = 16
          }
        }
        """.formatted(
                        task,
                        user,
                        words,
                        task.equals("work_directory") ? "work_dir = \"/local/work\"" : "",
                        keeps ? KEEPING : "",
                        block);
    }
}
