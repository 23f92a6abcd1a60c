package io.cleat.artifact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import io.cleat.model.TaskArtifact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.commons.compress.compressors.CompressorStreamFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files over HTTP and of the machine, from real servers that behave and that do not. */
final class FetchingTest {
    private static final byte[] HELLO = "hello\n".getBytes(UTF_8);

    @TempDir
    Path directory;

    private Fetches fetches;

    @BeforeEach
    void begin() throws IOException {
        fetches = new Fetches(directory);
    }

    @AfterEach
    void end() {
        fetches.close();
    }

    @Test
    void aFileKeepsTheNameOfItsUrlUnlessAnotherIsGiven() throws Exception {
        String url = fetches.serve("/a/hello you.txt", HELLO).replace(" ", "%20");
        Path file = fetches.fetch(url + "?token=1");
        assertEquals("hello you.txt", file.getFileName().toString());
        assertEquals("hello\n", Files.readString(file));
        assertEquals("rw-r--r--", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        Path named = fetches.fetch(Fetches.artifact(url, Map.of("filename", "b"), TaskArtifact.Mode.ANY));
        assertEquals("b", named.getFileName().toString());
    }

    @Test
    void eachKindOfArchiveIsUnpacked() throws Exception {
        byte[] tar = new Archives.Tar()
                .directory("d", 0750)
                .file("d/program", 0755, "run")
                .link("d/link", "program")
                .hardLink("same", "d/program")
                .bytes();
        byte[] zip = new Archives.Zip()
                .entry("d/", 040750, "")
                .entry("d/program", 0100755, "run")
                .entry("d/link", 0120777, "program")
                .entry("same", 0, "run")
                .bytes();
        Map<String, byte[]> all = Map.of(
                "a.tar", tar,
                "a.tar.gz", Archives.packed(tar, CompressorStreamFactory.GZIP),
                "a.tbz2", Archives.packed(tar, CompressorStreamFactory.BZIP2),
                "a.tar.xz", Archives.packed(tar, CompressorStreamFactory.XZ),
                "a.zip", zip);
        for (Map.Entry<String, byte[]> each : all.entrySet()) {
            Path tree = fetches.fetch(fetches.serve("/" + each.getKey(), each.getValue()));
            assertEquals(Set.of("d", "same"), names(tree), each.getKey());
            assertEquals("run", Files.readString(tree.resolve("d/link")), each.getKey());
            assertEquals("run", Files.readString(tree.resolve("same")), each.getKey());
            assertEquals("rwxr-xr-x", mode(tree.resolve("d/program")), each.getKey());
            assertEquals("rwxr-x---", mode(tree.resolve("d")), each.getKey());
        }
    }

    @Test
    void aFileThatIsOnlyCompressedBecomesOneFile() throws Exception {
        for (String kind : List.of("gz", "bz2", "xz")) {
            String name = kind.equals("bz2") ? CompressorStreamFactory.BZIP2 : kind;
            Path file = fetches.fetch(fetches.serve("/h.txt." + kind, Archives.packed(HELLO, name)));
            assertEquals("h.txt", file.getFileName().toString());
            assertEquals("hello\n", Files.readString(file), kind);
        }
        // Two of them, one after the other, are one file as gunzip reads it.
        byte[] one = Archives.packed(HELLO, CompressorStreamFactory.GZIP);
        byte[] two = new byte[2 * one.length];
        System.arraycopy(one, 0, two, 0, one.length);
        System.arraycopy(one, 0, two, one.length, one.length);
        assertEquals("hello\nhello\n", Files.readString(fetches.fetch(fetches.serve("/two.gz", two))));
    }

    @Test
    void optionsAndModeSayWhetherAndHowItIsUnpacked() throws Exception {
        byte[] packed = new Archives.Tar().file("top/in/f", 0644, "x").gzipped();
        String url = fetches.serve("/get", packed);
        String named = fetches.serve("/get.tgz", packed);
        assertTrue(Files.isRegularFile(fetches.fetch(url)));
        assertTrue(Files.isRegularFile(fetches.fetch(named + "?archive=false")));
        assertEquals(Set.of("top"), names(fetches.fetch(url + "?archive=tar.gz")));
        assertEquals(Set.of("f"), names(fetches.fetch(named + "//top/in")));
        assertTrue(fetches.failure(Fetches.artifact(named + "//top/on")).contains("it has no directory \"top/on\""));
        assertTrue(fetches.failure(Fetches.artifact(url, Map.of(), TaskArtifact.Mode.DIR))
                .contains("is not packed"));
        assertTrue(fetches.failure(Fetches.artifact(named, Map.of(), TaskArtifact.Mode.FILE))
                .contains("leave mode = \"file\" out"));
        Path only = fetches.fetch(Fetches.artifact(
                fetches.serve(
                        "/one.zip", new Archives.Zip().entry("f", 0100600, "y").bytes()),
                Map.of(),
                TaskArtifact.Mode.FILE));
        assertEquals("y", Files.readString(only));
    }

    @Test
    void checksumsOfEachKindHold() throws Exception {
        String url = fetches.serve("/f.txt", HELLO);
        for (String kind : List.of("MD5", "SHA-1", "SHA-256", "SHA-512")) {
            String digest =
                    HexFormat.of().formatHex(MessageDigest.getInstance(kind).digest(HELLO));
            String name = kind.toLowerCase(java.util.Locale.ROOT).replace("-", "");
            assertTrue(Files.exists(fetches.fetch(url + "?checksum=" + name + ":" + digest)));
            fetches.serve("/gnu" + name, (digest + "  ./f.txt\n").getBytes(UTF_8));
            fetches.serve(
                    "/bsd" + name, (name.toUpperCase(java.util.Locale.ROOT) + " (f.txt) = " + digest).getBytes(UTF_8));
            for (String list : List.of("/gnu", "/bsd")) {
                String by = "file:" + fetches.url(list + name);
                assertTrue(Files.exists(
                        fetches.fetch(Fetches.artifact(url, Map.of("checksum", by), TaskArtifact.Mode.ANY))));
            }
        }
        String wrong = fetches.failure(Fetches.artifact(url + "?checksum=sha256:" + "0".repeat(64)));
        assertTrue(wrong.contains("expected SHA-256 000"), wrong);
        assertTrue(wrong.contains("got 5891b5b522d5df086d0ff0b110fb"), wrong);
        fetches.serve("/none", "abc  other".getBytes(UTF_8));
        String silent = fetches.failure(
                Fetches.artifact(url, Map.of("checksum", "file:" + fetches.url("/none")), TaskArtifact.Mode.ANY));
        assertTrue(silent.contains("says nothing about f.txt"), silent);
    }

    @Test
    void aServerThatDoesNotGiveTheFileIsNamedWithItsAnswer() throws Exception {
        fetches.serve("/gone", exchange -> Fetches.answer(exchange, 404, new byte[0]));
        fetches.serve("/broken", exchange -> Fetches.answer(exchange, 500, HELLO));
        fetches.serve("/loop", exchange -> redirect(exchange, "/loop"));
        fetches.serve("/away", exchange -> redirect(exchange, "file:///etc/passwd"));
        assertEquals(
                "127.0.0.1 answered 404 Not Found: look at the source",
                fetches.failure(Fetches.artifact(fetches.url("/gone"))));
        assertEquals(
                "127.0.0.1 answered 500 Internal Server Error",
                fetches.failure(Fetches.artifact(fetches.url("/broken"))));
        String loop = fetches.failure(Fetches.artifact(fetches.url("/loop")));
        assertTrue(loop.contains("redirects more than 10 times"), loop);
        String away = fetches.failure(Fetches.artifact(fetches.url("/away")));
        assertTrue(away.contains("not to http or https"), away);
        int closed = fetches.port();
        fetches.close();
        String refused = fetches.failure(Fetches.artifact("http://127.0.0.1:" + closed + "/f"));
        assertTrue(refused.contains("connection refused"), refused);
    }

    @Test
    void aBodyThatEndsEarlyOrNeverOrIsTooLongIsNoFile() throws Exception {
        fetches.serve("/short", exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write(HELLO);
            exchange.getResponseBody().flush();
            exchange.close();
        });
        String cut = fetches.failure(Fetches.artifact(fetches.url("/short")));
        assertTrue(cut.contains("it broke off"), cut);

        CountDownLatch done = new CountDownLatch(1);
        fetches.serve("/slow", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(HELLO);
            exchange.getResponseBody().flush();
            awaitQuietly(done);
            exchange.close();
        });
        FetchLimits soon = new FetchLimits(
                Duration.ofMillis(300), 1 << 20, 100, 1 << 20, Long.MAX_VALUE, 1000, Duration.ofSeconds(10));
        String late = fetches.failure(Fetches.artifact(fetches.url("/slow")), soon);
        done.countDown();
        assertTrue(late.contains("-artifact-timeout"), late);

        String known = fetches.serve("/large", new byte[(1 << 20) + 1]);
        fetches.serve("/endless", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (exchange) {
                for (int i = 0; i < 1000; i++) {
                    exchange.getResponseBody().write(new byte[1 << 14]);
                }
            }
        });
        for (String url : List.of(known, fetches.url("/endless"))) {
            String large = fetches.failure(Fetches.artifact(url));
            assertTrue(large.contains("-artifact-max-download"), large);
        }
    }

    @Test
    void headersAndCredentialsGoToTheirHostOnlyAndNowhereElse() throws Exception {
        ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
        try (Fetches other = new Fetches(Files.createDirectory(directory.resolve("other")))) {
            other.serve("/f", exchange -> {
                seen.add("other " + heard(exchange));
                Fetches.answer(exchange, 200, HELLO);
            });
            fetches.serve("/f", exchange -> {
                seen.add("own " + heard(exchange));
                redirect(exchange, other.url("/f"));
            });
            fetches.fetch(new Artifact(
                    "http://user:password@127.0.0.1:" + fetches.port() + "/f",
                    Map.of(),
                    Map.of("X-Token", "secret-token"),
                    TaskArtifact.Mode.ANY,
                    false));
        }
        assertEquals(List.of("own secret-token Basic dXNlcjpwYXNzd29yZA==", "other null null"), List.copyOf(seen));
    }

    @Test
    void noWordsHoldASecret() throws Exception {
        fetches.serve("/echo", exchange -> redirect(exchange, "http://secret-token/" + "x".repeat(3) + "?sig=sign"));
        Artifact artifact = new Artifact(
                "http://user:p%40ssword@127.0.0.1:" + fetches.port() + "/echo?sig=signature",
                Map.of("key", "optional-key"),
                Map.of("X-Token", "secret-token"),
                TaskArtifact.Mode.ANY,
                false);
        String words = fetches.failure(artifact) + artifact + artifact.shown();
        for (String secret : List.of("p%40ss", "p@ss", "signature", "optional-key", "secret-token")) {
            assertFalse(words.contains(secret), words);
        }
    }

    @Test
    void pathsOfTheMachineAreReadOnlyWhereTheAgentLetsThem() throws Exception {
        Path open = Files.createDirectory(directory.resolve("open"));
        Path file = Files.writeString(open.resolve("f.txt"), "local");
        Files.createSymbolicLink(open.resolve("link"), Path.of("/etc/hostname"));
        Path tree = Files.createDirectories(open.resolve("tree/in"));
        Files.writeString(tree.resolve("g"), "deep");
        String none = fetches.failure(Fetches.artifact(file.toString()));
        assertTrue(none.contains("-artifact-path=DIRECTORY"), none);
        List<Path> readable = List.of(open);
        assertEquals(
                "local", Files.readString(fetches.fetch(Fetches.artifact("file://" + file), Fetches.LIMITS, readable)));
        Path copied = fetches.fetch(Fetches.artifact(open.resolve("tree").toString()), Fetches.LIMITS, readable);
        assertEquals("deep", Files.readString(copied.resolve("in/g")));
        for (String away : List.of(open + "/link", open + "/../etc", "/etc/hostname")) {
            String words = org.junit.jupiter.api.Assertions.assertThrows(
                            io.cleat.base.ArtifactTrouble.class,
                            () -> fetches.fetch(Fetches.artifact(away), Fetches.LIMITS, readable))
                    .reason();
            assertTrue(words.contains("-artifact-path=DIRECTORY") || words.contains("there is no"), words);
        }
    }

    @Test
    void anInterruptionEndsAFetchThatWaits() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        fetches.serve("/never", exchange -> {
            asked.countDown();
            awaitQuietly(done);
            exchange.close();
        });
        ConcurrentLinkedQueue<Exception> ended = new ConcurrentLinkedQueue<>();
        Thread fetch = Thread.ofVirtual().start(() -> {
            try {
                fetches.fetch(fetches.url("/never"));
            } catch (Exception end) {
                ended.add(end);
            }
        });
        asked.await();
        fetch.interrupt();
        fetch.join();
        done.countDown();
        assertEquals(InterruptedException.class, ended.element().getClass());
    }

    private static String heard(HttpExchange exchange) {
        return exchange.getRequestHeaders().getFirst("X-Token")
                + " "
                + exchange.getRequestHeaders().getFirst("Authorization");
    }

    private static void redirect(HttpExchange exchange, String to) throws IOException {
        exchange.getResponseHeaders().set("Location", to);
        Fetches.answer(exchange, 302, new byte[0]);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private static Set<String> names(Path tree) throws IOException {
        try (Stream<Path> entries = Files.list(tree)) {
            return new TreeSet<>(
                    entries.map(each -> each.getFileName().toString()).toList());
        }
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
