package io.cleat.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cleat.exchange.HttpReply;
import io.cleat.exchange.HttpRequest;
import io.cleat.exchange.TimedChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * An engine that is a real one, and an image in it that needs no registry: empty, since tests mount the machine's
 * programs into their containers.
 *
 * @param own the tests' own; empty for one of the machine's
 */
public record RealEngine(Path socket, Optional<OwnEngine> own) {
    /** The name of the image. */
    public static final String IMAGE = "localhost/cleat-test:1";

    /** Where the machine's programs and their libraries are. */
    public static final List<Path> PROGRAMS =
            Stream.of("/usr", "/bin", "/sbin", "/lib", "/lib64").map(Path::of).toList();

    private static final int BLOCK = 512;

    /**
     * The engine that is named, or one of the tests' own; the test is skipped without.
     *
     * @param directory empty; for one of the tests' own
     */
    public static RealEngine open(Path directory) throws Exception {
        Optional<RealEngine> found = find(directory);
        Assumptions.assumeTrue(
                found.isPresent(),
                "reason: podman is absent: ./dev setup -y brings it; or name the socket of another"
                        + " engine with CLEAT_TEST_ENGINE");
        return found.orElseThrow();
    }

    /**
     * The engine that is named, or one of the caller's own; empty where there is none.
     *
     * @param directory empty; for one of the caller's own
     */
    public static Optional<RealEngine> find(Path directory) throws Exception {
        String named = System.getenv().getOrDefault("CLEAT_TEST_ENGINE", "");
        Optional<OwnEngine> own = named.isEmpty() ? OwnEngine.in(directory) : Optional.empty();
        if (named.isEmpty() && own.isEmpty()) {
            return Optional.empty();
        }
        RealEngine engine = new RealEngine(own.map(OwnEngine::socket).orElseGet(() -> Path.of(named)), own);
        try {
            if (own.isPresent()) {
                Eventually.holds(() -> engine.answers(own.get()), "the engine answers");
            }
            engine.haveImage();
            return Optional.of(engine);
        } catch (Exception | AssertionError unusable) {
            if (own.isPresent()) {
                own.get().close();
            }
            throw unusable;
        }
    }

    private boolean answers(OwnEngine starting) throws IOException {
        if (!starting.isAlive()) {
            throw new IOException("the engine did not start: " + starting.words());
        }
        try {
            return Files.exists(socket) && ask("GET", "/_ping", null) == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Takes the image away, and ends an engine of the tests' own. */
    public void close() throws IOException, InterruptedException {
        dropImage();
        if (own.isPresent()) {
            own.get().close();
        }
    }

    private void haveImage() throws IOException {
        if (ask("GET", "/images/" + IMAGE + "/json", null) == 200) {
            return;
        }
        int status = ask("POST", "/images/create?fromSrc=-&repo=localhost%2Fcleat-test%3A1", tar());
        if (status != 200) {
            throw new IOException("the image could not be imported: " + status);
        }
    }

    /** Removes the image; those of no test are left alone. */
    private void dropImage() throws IOException {
        ask("DELETE", "/images/" + IMAGE, null);
    }

    /** Asks, reads the answer to its end, and gives its status. */
    public int ask(String method, String target, byte @Nullable [] body) throws IOException {
        return answer(method, target, body).status();
    }

    /** The names of all containers that it has, running or not. */
    public List<String> containers() throws IOException {
        return names("/containers/json?all=true", "Names");
    }

    /** The names of all images that it has, with their tags. */
    public List<String> images() throws IOException {
        return names("/images/json", "RepoTags");
    }

    /** What the lists of that name say, in all of a list of things. */
    private List<String> names(String target, String key) throws IOException {
        List<String> names = new ArrayList<>();
        Matcher lists = Pattern.compile("\"" + key + "\":\\[([^\\]]*)]")
                .matcher(answer("GET", target, null).text());
        while (lists.find()) {
            for (String name : lists.group(1).split(",", -1)) {
                names.add(name.replace("\"", "").replaceFirst("^/", ""));
            }
        }
        return names;
    }

    private record Answer(int status, String text) {}

    private Answer answer(String method, String target, byte @Nullable [] body) throws IOException {
        try (TimedChannel channel =
                TimedChannel.open(UnixDomainSocketAddress.of(socket), Duration.ofSeconds(5), Duration.ofSeconds(30))) {
            Map<String, String> fields = body == null ? Map.of() : Map.of("Content-Type", "application/x-tar");
            HttpReply reply = new HttpRequest(method, "/v1.41" + target, "docker", fields, body).over(channel);
            return new Answer(reply.status(), reply.text());
        }
    }

    /** An archive with one empty directory in it. */
    private static byte[] tar() {
        byte[] archive = new byte[3 * BLOCK];
        put(archive, 0, "tmp/");
        put(archive, 100, "0001777");
        put(archive, 108, "0000000");
        put(archive, 116, "0000000");
        put(archive, 124, "00000000000");
        put(archive, 136, "00000000000");
        archive[156] = '5';
        put(archive, 257, "ustar\00000");
        put(archive, 148, "        ");
        int sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += archive[i];
        }
        put(archive, 148, "%06o\0 ".formatted(sum));
        return archive;
    }

    private static void put(byte[] archive, int at, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        System.arraycopy(bytes, 0, archive, at, bytes.length);
    }
}
