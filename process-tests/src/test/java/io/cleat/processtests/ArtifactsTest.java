package io.cleat.processtests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cleat.api.AllocationStub;
import io.cleat.api.Params;
import io.cleat.api.TaskEvent;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.SystemTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.transport.PacketLineOut;
import org.eclipse.jgit.transport.RefAdvertiser;
import org.eclipse.jgit.transport.UploadPack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Artifacts in the whole program: from a job to files that its task reads. */
@Timeout(240)
class ArtifactsTest {
    private static final String SECRET = "secret-token-of-the-job";

    @TempDir
    Path directory;

    private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
    private final CountDownLatch over = new CountDownLatch(1);

    private static String job(String name, String artifacts, String script) {
        return """
        job "%s" {
          type = "batch"
          group "g" {
            restart {
              attempts = 1
              delay    = "100ms"
              mode     = "fail"
            }
            reschedule {
              attempts = 0
            }
            task "t" {
              driver = "raw_exec"
              config {
                command = "/bin/sh"
                args    = ["-c", "%s"]
              }
              meta {
                ref = "v1"
              }
              resources {
                cpu    = 100
                memory = 16
              }
              %s
            }
          }
        }
        """.formatted(name, script, artifacts);
    }

    @Test
    void aTaskFindsWhatItsJobNames_andEventsSayWhatCouldNotBeHad() throws Exception {
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.start();
        try (Git git = repository();
                AgentRun agent = AgentRun.prepareBare()) {
            byte[] tar = tar();
            String digest = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(tar));
            server.createContext("/", exchange -> serve(exchange, tar, git.getRepository()));
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            agent.start();

            agent.register(job(
                    "good",
                    """
                            artifact {
                              source      = "%1$s/app.tgz"
                              destination = "local/app"
                              options {
                                checksum = "sha256:%2$s"
                              }
                              headers {
                                X-Token = "%3$s"
                              }
                            }
                            artifact {
                              source      = "git::%1$s/conf.git//etc?ref=${NOMAD_META_ref}"
                              destination = "${NOMAD_ALLOC_DIR}/data/conf"
                            }
                            """.formatted(url, digest, SECRET),
                    "sh local/app/bin/run.sh $NOMAD_ALLOC_DIR/data/conf/app.conf >$NOMAD_ALLOC_DIR/seen; exec "
                            + "sleep 600"));
            AllocationStub good = agent.running("good");
            Path seen = agent.data().resolve("alloc/" + good.ID() + "/alloc/seen");
            agent.awaits(
                    () -> Files.exists(seen) && Files.readString(seen).equals("ran with one\n"),
                    "the task runs what was fetched");
            assertEquals(List.of("Received", "Task Setup", "Downloading Artifacts", "Started"), types(agent, good));
            assertTrue(asked.contains("/app.tgz " + SECRET), asked.toString());

            // What runs is not fetched again by the next agent.
            int before = asked.size();
            agent.kill();
            agent.start();
            assertEquals(good.ID(), agent.running("good").ID());
            assertEquals(before, asked.size());

            agent.register(job("wrong", """
                            artifact {
                              source = "%s/app.tgz?checksum=sha256:%s&key=%s"
                            }
                            """.formatted(url, "0".repeat(64), SECRET), "true"));
            AllocationStub wrong = ended(agent, "wrong", "failed");
            List<TaskEvent> events = agent.api().events(wrong.ID(), "t");
            assertEquals(
                    2,
                    events.stream()
                            .filter(event -> event.Type().equals("Failed Artifact Download"))
                            .count(),
                    types(agent, wrong).toString());
            String words = events.stream()
                    .filter(event -> event.Type().equals("Failed Artifact Download"))
                    .findFirst()
                    .orElseThrow()
                    .DownloadError();
            assertTrue(
                    words.startsWith(
                            "failed to download artifact \"" + url + "/app.tgz\": its checksum is not the one"),
                    words);
            assertTrue(words.contains("got " + digest), words);
            assertFalse(Files.exists(agent.data().resolve("alloc/" + wrong.ID() + "/t/local/bin")));

            agent.register(job("slow", "artifact {\nsource = \"" + url + "/never\"\n}", "true"));
            agent.awaits(() -> asked.contains("/never null"), "the slow one is asked for");
            long stopped = new SystemTime().nanos();
            agent.stop("slow");
            ended(agent, "slow", "complete");
            assertTrue(new SystemTime().nanos() - stopped < 15_000_000_000L);
            agent.awaits(
                    () -> names(agent.data().resolve("client/artifacts")).isEmpty(), "nothing is left of fetching");

            UnexpectedAnswer refused = assertThrows(
                    UnexpectedAnswer.class,
                    () -> agent.register(job("bucket", "artifact {\nsource = \"s3::https://h/b\"\n}", "true")));
            assertTrue(String.valueOf(refused.getMessage()).contains("s3 sources are not fetched"), refused.toString());
            assertFalse(agent.printed().contains(SECRET), agent.printed());
            agent.stop("good");
        } finally {
            over.countDown();
            server.stop(0);
            threads.shutdownNow();
        }
    }

    private Git repository() throws Exception {
        Path work = Files.createDirectory(directory.resolve("work"));
        Git git =
                Git.init().setDirectory(work.toFile()).setInitialBranch("main").call();
        Files.createDirectory(work.resolve("etc"));
        for (String version : List.of("one", "two")) {
            Files.writeString(work.resolve("etc/app.conf"), version + "\n");
            git.add().addFilepattern(".").call();
            git.commit()
                    .setSign(false)
                    .setAuthor("somebody", "s@example.com")
                    .setCommitter("somebody", "s@example.com")
                    .setMessage(version)
                    .call();
            if (version.equals("one")) {
                git.tag().setName("v1").setAnnotated(false).call();
            }
        }
        return git;
    }

    private static byte[] tar() throws IOException {
        byte[] script = "echo ran with $(cat $1)\n".getBytes(UTF_8);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new GzipCompressorOutputStream(bytes))) {
            TarArchiveEntry entry = new TarArchiveEntry("bin/run.sh");
            entry.setSize(script.length);
            tar.putArchiveEntry(entry);
            tar.write(script);
            tar.closeArchiveEntry();
        }
        return bytes.toByteArray();
    }

    private void serve(HttpExchange exchange, byte[] tar, Repository repository) throws IOException {
        String path = exchange.getRequestURI().getPath();
        asked.add(path + " " + exchange.getRequestHeaders().getFirst("X-Token"));
        try (exchange) {
            byte[] answer = tar;
            if (path.equals("/never")) {
                over.await();
            } else if (path.startsWith("/conf.git")) {
                answer = git(exchange, repository);
            }
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private static byte[] git(HttpExchange exchange, Repository repository) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        UploadPack pack = new UploadPack(repository);
        pack.setBiDirectionalPipe(false);
        boolean isList = exchange.getRequestURI().getPath().endsWith("/info/refs");
        if (isList) {
            PacketLineOut lines = new PacketLineOut(answer);
            lines.writeString("# service=git-upload-pack\n");
            lines.end();
            pack.sendAdvertisedRefs(new RefAdvertiser.PacketLineOutRefAdvertiser(lines));
        } else {
            InputStream body = exchange.getRequestBody();
            boolean packed = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            pack.upload(packed ? new GZIPInputStream(body) : body, answer, OutputStream.nullOutputStream());
        }
        exchange.getResponseHeaders()
                .set("Content-Type", "application/x-git-upload-pack-" + (isList ? "advertisement" : "result"));
        return answer.toByteArray();
    }

    private static AllocationStub ended(AgentRun agent, String job, String status) throws Exception {
        List<AllocationStub> found = new ArrayList<>();
        agent.awaits(
                () -> {
                    found.clear();
                    found.addAll(agent.client()
                            .jobs()
                            .allocations(job, true, Params.none())
                            .body());
                    return found.size() == 1 && found.getFirst().ClientStatus().equals(status);
                },
                "the allocation of " + job + " is " + status);
        return found.getFirst();
    }

    private static List<String> types(AgentRun agent, AllocationStub alloc) throws Exception {
        return agent.api().events(alloc.ID(), "t").stream().map(TaskEvent::Type).toList();
    }

    private static List<String> names(Path path) throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.map(Path::toString).toList();
        }
    }
}
