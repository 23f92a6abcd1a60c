package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import io.cleat.api.Params;
import io.cleat.api.TaskEvent;
import io.cleat.api.Variable;
import io.cleat.base.Secrets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Templates of a task in the whole program, from their first rendering to every change mode. */
@Timeout(240)
class TemplatesTest {
    /** Notes each start and each hangup in a file of its own directory. */
    private static String job(String driver) {
        return """
        job "%s" {
          type = "batch"
          meta {
            word = "hello"
          }
          group "g" {
            service {
              name     = "found-%s"
              port     = 8080
              provider = "nomad"
              check {
                type     = "script"
                task     = "t"
                command  = "/bin/sh"
                args     = ["-c", "wc -l <local/starts"]
                interval = "1s"
                timeout  = "5s"
              }
            }
            task "t" {
              driver = "%s"
              config {
                command = "/bin/sh"
                args    = ["-c", "trap 'echo hup >>local/heard' HUP; echo $WORD $(cat local/list) >>local/starts; while :; do sleep 0.1; done"]
              }
              template {
                destination = "secrets/env"
                env         = true
                perms       = "0600"
                data        = "WORD={{ env \\"NOMAD_META_word\\" }} # said\\n"
              }
              template {
                destination = "local/list"
                data        = "{{ range file \\"/alloc/data/list\\" | parseJSON }}<{{ . | toUpper }}>{{ end }}"
                splay       = "0s"
              }
              template {
                destination   = "local/deep/signal"
                data          = "{{ file \\"local/signal\\" }}"
                change_mode   = "signal"
                change_signal = "SIGHUP"
                splay         = "0s"
              }
              template {
                destination = "/alloc/script"
                data        = "[[ file \\"local/script\\" ]]"
                left_delimiter  = "[["
                right_delimiter = "]]"
                change_mode     = "script"
                splay           = "0s"
                change_script {
                  command = "/bin/sh"
                  args    = ["-c", "cp ${NOMAD_ALLOC_DIR}/script local/ran"]
                }
              }
              template {
                destination = "secrets/variable"
                data        = "{{ with nomadVar \\"nomad/jobs/%s\\" }}{{ .word }}{{ end }}"
                change_mode = "noop"
              }
              template {
                destination = "secrets/services"
                data        = "{{ range nomadService \\"found-%s\\" }}{{ .Port }} {{ .AllocID }}{{ end }}"
                change_mode = "noop"
                splay       = "0s"
              }
              kill_timeout = "1s"
              resources {
                cpu    = 100
                memory = 16
              }
            }
          }
        }
        """.formatted(driver, dashed(driver), driver, driver, dashed(driver));
    }

    private static String dashed(String driver) {
        return driver.replace('_', '-');
    }

    /** One allocation of the job. */
    private record Seen(AgentRun agent, String id) {
        Path task(String below) {
            return agent.data().resolve("alloc").resolve(id).resolve("t").resolve(below);
        }

        Path shared(String below) {
            return agent.data().resolve("alloc").resolve(id).resolve("alloc").resolve(below);
        }

        List<String> lines(String below) throws Exception {
            Path file = task(below);
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        }

        List<String> events() throws Exception {
            return agent.api().events(id, "t").stream()
                    .map(TaskEvent::DisplayMessage)
                    .toList();
        }

        void awaitEvent(String words) throws Exception {
            agent.awaits(
                    () -> events().stream().anyMatch(each -> each.startsWith(words)),
                    "the event: " + words + " of " + id);
        }

        /** Its service is found, by itself too, and its check is well. */
        void awaitService(int starts) throws Exception {
            awaitLines("secrets/services", List.of("8080 " + id));
            agent.awaits(
                    () -> agent.client().allocations().checks(id).values().stream()
                            .anyMatch(check -> check.Status().equals("success")
                                    && check.Output().equals(Integer.toString(starts))),
                    "the check of " + id + " says " + starts);
        }

        void awaitLines(String below, List<String> lines) throws Exception {
            agent.awaits(() -> lines(below).equals(lines), below + " of " + id + " is " + lines);
        }
    }

    @Test
    void aTaskGetsItsFilesAndIsToldOfEachChange() throws Exception {
        try (AgentRun agent = AgentRun.prepareBare()) {
            agent.start();
            Path outside = agent.root().resolve("outside");
            Files.writeString(outside, "of the host");
            List<Seen> all = new ArrayList<>();
            for (String driver : drivers(agent)) {
                agent.register(job(driver));
                all.add(new Seen(agent, allocation(agent, driver).ID()));
            }
            for (Seen seen : all) {
                seen.awaitEvent("Missing: file(/alloc/data/list)");
                Files.writeString(seen.task("local/signal"), "1");
                Files.writeString(seen.task("local/script"), "1");
                Files.writeString(seen.shared("data/list"), "[\"a\", \"b\"]");
            }
            for (Seen seen : all) {
                seen.awaitEvent("Missing: nomadVar(nomad/jobs/");
                assertFalse(Files.exists(seen.task("local/starts")));
            }
            variables(agent, "one");
            for (Seen seen : all) {
                seen.awaitLines("local/starts", List.of("hello <A><B>"));
                seen.awaitLines("secrets/variable", List.of("one"));
                seen.awaitService(1);
                assertEquals(
                        "rw-------",
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(seen.task("secrets/env"))));
                Files.writeString(seen.task("local/signal"), "22");
                Files.writeString(seen.task("local/script"), "22");
            }
            for (Seen seen : all) {
                seen.awaitLines("local/heard", List.of("hup"));
                seen.awaitLines("local/ran", List.of("22"));
                seen.awaitEvent("Template successfully ran script /bin/sh with arguments: [-c,");
                assertEquals("22", Files.readString(seen.task("local/deep/signal")));
            }
            variables(agent, "two");
            for (Seen seen : all) {
                seen.awaitLines("secrets/variable", List.of("two"));
            }
            agent.kill();
            agent.start();
            variables(agent, "three");
            for (Seen seen : all) {
                // The task may put what it likes in the place of what is rendered for it.
                Files.delete(seen.task("local/list"));
                Files.createSymbolicLink(seen.task("local/list"), outside);
                Files.writeString(seen.shared("data/list"), "[\"c\"]");
            }
            for (Seen seen : all) {
                // The agent's death was no start, though it has rendered everything anew.
                seen.awaitLines("local/starts", List.of("hello <A><B>", "hello <C>"));
                seen.awaitEvent("Template with change_mode restart re-rendered");
                assertFalse(Files.isSymbolicLink(seen.task("local/list")));
                assertEquals(List.of("hup"), seen.lines("local/heard"));
                seen.awaitLines("secrets/variable", List.of("three"));
                seen.awaitService(2);
            }
            assertEquals("of the host", Files.readString(outside));
            refused(agent);
            for (String driver : drivers(agent)) {
                agent.stop(driver);
            }
        }
    }

    private static void variables(AgentRun agent, String word) throws Exception {
        for (String driver : drivers(agent)) {
            agent.client()
                    .variables()
                    .put(
                            Variable.wanted("default", "nomad/jobs/" + driver, Secrets.of(Map.of("word", word)), null),
                            null);
        }
    }

    /** What cannot be rendered fails with the template, the line and the cause. */
    private static void refused(AgentRun agent) throws Exception {
        agent.register(
                job("raw_exec").replace("job \"raw_exec\"", "job \"bad\"").replace("WORD={{ env", "\\nWORD={{ key"));
        AllocationStub bad = allocation(agent, "bad");
        new Seen(agent, bad.ID())
                .awaitEvent("Template failed: template: secrets/env:2:9: key: it asks Consul's keys, and Cleat has no "
                        + "Consul;");
        agent.stop("bad");
    }

    private static AllocationStub allocation(AgentRun agent, String job) throws Exception {
        List<AllocationStub> found = new ArrayList<>();
        agent.awaits(
                () -> {
                    found.addAll(agent.client()
                            .jobs()
                            .allocations(job, true, Params.none())
                            .body());
                    return !found.isEmpty();
                },
                "job " + job + " is placed");
        return found.getFirst();
    }

    /** Those whose tasks can be run here; {@code exec} needs a container runtime. */
    private static List<String> drivers(AgentRun agent) throws Exception {
        List<String> healthy =
                agent.client().nodes().list(Params.none()).body().getFirst().Drivers().entrySet().stream()
                        .filter(each -> each.getValue().Healthy())
                        .map(Map.Entry::getKey)
                        .sorted()
                        .toList();
        assertTrue(healthy.contains("raw_exec"), healthy.toString());
        return healthy;
    }
}
