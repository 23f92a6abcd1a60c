package io.cleat.demo;

import io.cleat.api.Json;
import io.cleat.base.Refused;
import io.cleat.exchange.HttpReply;
import io.cleat.exchange.HttpRequest;
import io.cleat.exchange.TimedChannel;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A container engine that speaks Docker's API on a Unix socket, as the driver {@code docker} wants it; asked here by
 * the demo itself. Source: the documentation of Docker's Engine API, of which no version is named: what is asked for is
 * the same in all.
 */
final class ContainerEngine {
    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** For an image to be taken in, and a container to be removed. */
    private static final Duration IDLE = Duration.ofMinutes(2);

    private static final int OK = 300;
    private static final int ABSENT = 404;

    private final Path socket;

    ContainerEngine(Path socket) {
        this.socket = socket.toAbsolutePath();
    }

    private record Answer(int status, String text) {
        boolean isGood() {
            return status < OK;
        }
    }

    /** Where it listens. */
    Path socket() {
        return socket;
    }

    /**
     * Asks who it is.
     *
     * @return such as {@code Podman Engine 4.3.1}
     * @throws CheckFailed with what to do, if nobody answers
     */
    String hello() throws CheckFailed {
        Answer answer;
        try {
            answer = ask("GET", "/version", null);
        } catch (IOException absent) {
            String words = absent.getMessage();
            throw new CheckFailed(
                    "no container engine answers at "
                            + socket
                            + ", and -driver=docker needs one. Bring one, as root, with one of:\n"
                            + "       systemctl start docker\n"
                            + "       mkdir -p /run/podman && podman system service -t 0 "
                            + "unix:///run/podman/podman.sock &\n"
                            + "       (either is missing: apt-get install docker.io, or podman)\n"
                            + "     and say where it is, unless it is there:"
                            + " cleat demo -driver=docker -docker-socket=/run/podman/podman.sock",
                    "Docker, or another engine that speaks its API",
                    words == null ? absent.toString() : words);
        }
        JsonNode engine = json("its version", answer).path("Components").path(0);
        String name = engine.path("Name").asString("");
        return (name.equals("Engine") ? "Docker Engine" : name)
                + " "
                + engine.path("Version").asString("");
    }

    /**
     * Makes an image of one layer.
     *
     * @param image its name, with a tag; no other image has it
     * @param layer a tar archive, maybe compressed by gzip
     * @param instructions what its configuration says, as lines of a Dockerfile
     */
    void makeImage(String image, byte[] layer, List<String> instructions) throws CheckFailed {
        // With its tag: Podman does not look at one beside it.
        String target = "/images/create?fromSrc=-&repo="
                + encoded(image)
                + instructions.stream().map(line -> "&changes=" + encoded(line)).collect(Collectors.joining());
        String what = "making the image " + image;
        Answer answer = asked(what, "POST", target, layer);
        // An engine says by its last line, and not by its status, that it failed on the way.
        CheckFailed.unless(
                answer.isGood() && !answer.text().contains("\"error\"") && has(image),
                what,
                "the engine to take it",
                answer.text().strip());
    }

    /** Whether it has an image of that name. */
    boolean has(String image) throws CheckFailed {
        String what = "the image " + image;
        Answer answer = asked(what, "GET", "/images/" + path(image) + "/json", null);
        CheckFailed.unless(answer.isGood() || answer.status() == ABSENT, what, "an answer", answer.text());
        return answer.isGood();
    }

    /** How large an image is, in bytes. */
    long size(String image) throws CheckFailed {
        String what = "the image " + image;
        return json(what, asked(what, "GET", "/images/" + path(image) + "/json", null))
                .path("Size")
                .asLong(0);
    }

    /** Takes an image's name away, and with the last one the image. Done already is fine. */
    void removeImage(String image) throws CheckFailed {
        removed("the image " + image, "/images/" + path(image));
    }

    /** The names of all containers that are made of an image, running or not. */
    List<String> containersOf(String image) throws CheckFailed {
        String filters = Json.text(Map.of("ancestor", List.of(image)));
        String what = "the containers of image " + image;
        List<String> names = new ArrayList<>();
        String target = "/containers/json?all=true&filters=" + encoded(filters);
        for (JsonNode one : json(what, asked(what, "GET", target, null))) {
            names.add(one.path("Names").path(0).asString("").replaceFirst("^/", ""));
        }
        return names;
    }

    /** Ends and removes a container. Done already is fine. */
    void removeContainer(String name) throws CheckFailed {
        removed("the container " + name, "/containers/" + encoded(name) + "?force=true&v=true");
    }

    private void removed(String what, String target) throws CheckFailed {
        Answer answer = asked(what, "DELETE", target, null);
        CheckFailed.unless(
                answer.isGood() || answer.status() == ABSENT,
                what,
                "to be removed",
                answer.text().strip());
    }

    private Answer asked(String what, String method, String target, byte @Nullable [] body) throws CheckFailed {
        try {
            return ask(method, target, body);
        } catch (IOException failed) {
            throw CheckFailed.unseen(what + ", by the engine at " + socket, failed);
        }
    }

    private Answer ask(String method, String target, byte @Nullable [] body) throws IOException {
        try (TimedChannel channel = TimedChannel.open(UnixDomainSocketAddress.of(socket), CONNECT, IDLE)) {
            Map<String, String> fields = body == null ? Map.of() : Map.of("Content-Type", "application/x-tar");
            HttpReply reply = new HttpRequest(method, target, "docker", fields, body).over(channel);
            return new Answer(reply.status(), reply.text());
        }
    }

    private static JsonNode json(String what, Answer answer) throws CheckFailed {
        CheckFailed.unless(answer.isGood(), what, "an answer", answer.text().strip());
        try {
            return Json.tree(answer.text().getBytes(StandardCharsets.UTF_8));
        } catch (Refused unreadable) {
            throw new CheckFailed(what, "JSON", answer.text().strip());
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Engines take its slashes and colon as they are. */
    private static String path(String image) {
        return encoded(image).replace("%2F", "/").replace("%3A", ":");
    }
}
