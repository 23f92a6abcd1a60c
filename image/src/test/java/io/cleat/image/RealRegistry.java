package io.cleat.image;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/** The registry that Debian ships ({@code docker-registry}), on loopback, with files of its own. */
final class RealRegistry implements AutoCloseable {
    private static final Pattern LISTENS = Pattern.compile("listening on (127\\.0\\.0\\.1:\\d+)");

    private final Process process;
    private final String host;
    private final HttpClient client = HttpClient.newHttpClient();

    private RealRegistry(Process process, String host) {
        this.process = process;
        this.host = host;
    }

    /** Starts it; the test is skipped where it is not installed. */
    static RealRegistry start(Path directory) throws IOException {
        Optional<Path> program = Pattern.compile(":")
                .splitAsStream(System.getenv().getOrDefault("PATH", ""))
                .map(each -> Path.of(each, "docker-registry"))
                .filter(Files::isExecutable)
                .findFirst();
        Assumptions.assumeTrue(program.isPresent(), "reason: docker-registry is not installed here");
        Path config = Files.writeString(directory.resolve("config.yml"), """
                        version: 0.1
                        log: { formatter: text }
                        storage: { filesystem: { rootdirectory: %s } }
                        http: { addr: "127.0.0.1:0" }
                        """.formatted(directory.resolve("data")));
        Process process = new ProcessBuilder(program.orElseThrow().toString(), "serve", config.toString())
                .redirectErrorStream(true)
                .start();
        BufferedReader words =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = words.readLine(); line != null; line = words.readLine()) {
            Matcher listens = LISTENS.matcher(line);
            if (listens.find()) {
                return new RealRegistry(process, listens.group(1));
            }
        }
        process.destroyForcibly();
        throw new IOException("docker-registry ended");
    }

    String host() {
        return host;
    }

    /** Uploads a blob into the repository {@code team/app}. */
    void push(byte[] blob) throws Exception {
        HttpResponse<String> begun = send(request("/v2/team/app/blobs/uploads/").POST(body(new byte[0])), 202);
        String location = begun.headers().firstValue("location").orElseThrow();
        String target = location.startsWith("http") ? location : "http://" + host + location;
        send(
                HttpRequest.newBuilder(URI.create(target + "&digest=" + TestRegistry.digest(blob)))
                        .PUT(body(blob)),
                201);
    }

    /** Uploads a manifest under a tag. */
    void push(String tag, String manifest, String mediaType) throws Exception {
        send(
                request("/v2/team/app/manifests/" + tag)
                        .header("Content-Type", mediaType)
                        .PUT(body(manifest.getBytes(StandardCharsets.UTF_8))),
                201);
    }

    private static HttpRequest.BodyPublisher body(byte[] bytes) {
        return HttpRequest.BodyPublishers.ofByteArray(bytes);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://" + host + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request, int expected) throws Exception {
        HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != expected) {
            throw new IOException(response + " " + response.body());
        }
        return response;
    }

    @Override
    public void close() {
        client.close();
        process.destroy();
        process.onExit().join();
    }
}
