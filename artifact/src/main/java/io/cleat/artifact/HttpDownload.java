package io.cleat.artifact;

import io.cleat.base.ArtifactTrouble;
import io.cleat.base.Deadline;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Downloads over HTTP. Redirects are followed by hand, since the task's headers may hold credentials: they go to the
 * host that they were given for, and to no other.
 */
final class HttpDownload implements AutoCloseable {
    private static final int MOST_REDIRECTS = 10;
    private static final Duration CONNECTING = Duration.ofSeconds(30);
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    /** What the client sets by itself and does not let anybody else. */
    private static final Set<String> NOT_OURS = Set.of("connection", "content-length", "expect", "host", "upgrade");

    private final HttpClient client;
    private final Map<String, String> headers;
    private final AddressRule addresses;
    private final ProxyOfEnvironment proxies = new ProxyOfEnvironment(System.getenv());
    private final Bounds bounds;
    private final Deadline deadline;
    private final Thread guard;
    private final AtomicLong received = new AtomicLong();
    private volatile boolean receiving;
    private volatile boolean slow;

    /** @param insecure whether anybody's certificate will do */
    HttpDownload(
            Map<String, String> headers,
            boolean insecure,
            AddressRule addresses,
            Bounds bounds,
            Threads threads,
            Time time) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECTING)
                .proxy(proxies);
        if (insecure) {
            builder.sslContext(AnyCertificate.context());
        }
        this.client = builder.build();
        this.headers = headers;
        this.addresses = addresses;
        this.bounds = bounds;
        this.deadline = bounds.deadline();
        this.guard = threads.vitalWork("artifact/deadline", () -> watch(time));
    }

    /** Ends what takes too long, or comes too slowly. */
    private void watch(Time time) throws InterruptedException {
        Duration window = bounds.patience();
        while (!deadline.isExpired() && !slow) {
            long before = received.get();
            boolean wasReceiving = receiving;
            boolean isWhole = deadline.left().compareTo(window) > 0;
            time.sleep(isWhole ? window : deadline.left());
            slow = isWhole
                    && wasReceiving
                    && receiving
                    && received.get() - before < Bounds.SLOWEST * window.toSeconds();
        }
        // Ends a read that waits for the rest of a body, too.
        client.shutdownNow();
    }

    /** Ends its connections. */
    @Override
    public void close() {
        guard.interrupt();
        client.shutdownNow();
    }

    /** Downloads into a new file. */
    void download(String url, Path into) throws IOException, ArtifactTrouble, InterruptedException {
        try (InputStream body = open(url);
                OutputStream file = Files.newOutputStream(into, StandardOpenOption.CREATE_NEW)) {
            bounds.copy(body, file);
        } catch (IOException failed) {
            throw ended(failed);
        } finally {
            receiving = false;
        }
    }

    /** Why it ended, if the guard ended it. */
    private IOException ended(IOException failed) throws ArtifactTrouble {
        if (slow) {
            throw bounds.slow();
        }
        bounds.requireTime();
        return failed;
    }

    /** A short text, such as a file of checksums. */
    String text(String url, int most) throws IOException, ArtifactTrouble, InterruptedException {
        try (InputStream body = open(url)) {
            return new String(body.readNBytes(most), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw ended(failed);
        } finally {
            receiving = false;
        }
    }

    private InputStream open(String url) throws IOException, ArtifactTrouble, InterruptedException {
        URI first = uri(url);
        URI at = first;
        for (int redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
            HttpResponse<InputStream> response = ask(at, isSameHost(first, at));
            int status = response.statusCode();
            if (status == 200) {
                InputStream body = new Counted(response.body());
                try {
                    bounds.announced(response.headers()
                            .firstValueAsLong("content-length")
                            .orElse(0));
                } catch (ArtifactTrouble tooLarge) {
                    body.close();
                    throw tooLarge;
                }
                receiving = true;
                return body;
            }
            response.body().close();
            String location = response.headers().firstValue("location").orElse("");
            if (!REDIRECTS.contains(status) || location.isEmpty()) {
                throw answered(at, status);
            }
            at = at.resolve(uri(location));
            requireHttp(at);
        }
        throw new ArtifactTrouble(
                "its server redirects more than " + MOST_REDIRECTS + " times, the last time to " + at.getHost(),
                Retry.SAME_CALL);
    }

    private HttpResponse<InputStream> ask(URI uri, boolean isSameHost)
            throws IOException, ArtifactTrouble, InterruptedException {
        requireHttp(uri);
        // A proxy looks up names by itself, by its own rules.
        if (!proxies.isFor(uri) || isAddress(uri.getHost())) {
            addresses.require(uri.getHost());
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(withoutUser(uri)).GET();
        bounds.requireTime();
        request.timeout(deadline.left().plusMillis(1));
        if (isSameHost) {
            for (Map.Entry<String, String> header : headers.entrySet()) {
                if (!NOT_OURS.contains(header.getKey().toLowerCase(Locale.ROOT))) {
                    set(request, header.getKey(), header.getValue());
                }
            }
        }
        String user = uri.getUserInfo();
        if (user != null) {
            String basic = Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
            request.setHeader("Authorization", "Basic " + basic);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    static boolean isAddress(String host) {
        return host.startsWith("[") || host.matches("[0-9.]+");
    }

    private static void set(HttpRequest.Builder request, String name, String value) throws ArtifactTrouble {
        try {
            request.setHeader(name, value);
        } catch (IllegalArgumentException unreadable) {
            throw FreshTree.refused("the header " + name + " is none that HTTP can carry");
        }
    }

    private static boolean isSameHost(URI one, URI other) {
        return Objects.equals(one.getHost(), other.getHost())
                && one.getPort() == other.getPort()
                && one.getScheme().equals(other.getScheme());
    }

    private static URI uri(String url) throws ArtifactTrouble {
        try {
            return new URI(url.replace(" ", "%20"));
        } catch (URISyntaxException unreadable) {
            throw FreshTree.refused("its URL cannot be read at index " + unreadable.getIndex());
        }
    }

    private static void requireHttp(URI uri) throws ArtifactTrouble {
        String scheme = String.valueOf(uri.getScheme());
        if (uri.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
            throw FreshTree.refused("its server sends us to " + scheme + ", not to http or https");
        }
    }

    private static URI withoutUser(URI uri) {
        String user = uri.getRawUserInfo();
        return user == null ? uri : URI.create(uri.toString().replaceFirst("://[^/@]*@", "://"));
    }

    /** Counts on the way, so that the guard sees how fast it comes. */
    private final class Counted extends FilterInputStream {
        Counted(InputStream body) {
            super(body);
        }

        @Override
        public int read() throws IOException {
            int got = super.read();
            received.addAndGet(got < 0 ? 0 : 1);
            return got;
        }

        @Override
        public int read(byte[] bytes, int from, int most) throws IOException {
            int got = super.read(bytes, from, most);
            received.addAndGet(Math.max(0, got));
            return got;
        }
    }

    private static ArtifactTrouble answered(URI uri, int status) {
        String what = switch (status) {
            case 401 -> "Unauthorized: give credentials in headers or in the URL";
            case 403 -> "Forbidden: look at the credentials in headers or in the URL";
            case 404 -> "Not Found: look at the source";
            case 429 -> "Too Many Requests";
            case 500 -> "Internal Server Error";
            case 502 -> "Bad Gateway";
            case 503 -> "Service Unavailable";
            default -> "expected 200";
        };
        return new ArtifactTrouble(uri.getHost() + " answered " + status + " " + what, Retry.SAME_CALL);
    }
}
