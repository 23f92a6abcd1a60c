package io.cleat.image;

import io.cleat.artifact.CheckedHttp;
import io.cleat.base.ArtifactTrouble;
import io.cleat.base.Deadline;
import io.cleat.base.Time;
import io.cleat.driver.registry.RegistryLogin;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads from one repository of a registry (distribution-spec 1.1, "Pull"). What may pass by itself, such as a
 * connection that was cut or a registry that has too much to do, is tried again. One thread.
 */
final class RegistryClient {
    private static final String HUB = "docker.io";
    private static final String HUB_AT = "registry-1.docker.io";
    private static final int MOST_TRIES = 6;
    private static final int MOST_REDIRECTS = 5;
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /** More bytes than one that is too slow sends in a minute. */
    private static final long A_MINUTE = 1 << 20;

    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    private final CheckedHttp http;
    private final URI registry;
    private final String path;
    private final RegistryAccess access;
    private final Pace pace;

    /**
     * How long it may take.
     *
     * @param pause after the first try that failed; then twice as long each time
     * @param received what has come so far, for who sees to it that it goes on
     * @param slow whether it did not
     */
    record Pace(Time time, Deadline deadline, Duration pause, AtomicLong received, AtomicBoolean slow) {}

    /**
     * @param host of the registry, with its port
     * @param path of the repository
     */
    RegistryClient(CheckedHttp http, String host, String path, Optional<RegistryLogin> login, Pace pace) {
        this.http = http;
        String scheme = isThisMachine(host) ? "http" : "https";
        this.registry = URI.create(scheme + "://" + (host.equals(HUB) ? HUB_AT : host));
        this.path = path;
        this.access = new RegistryAccess(http, registry, path, login);
        this.pace = pace;
    }

    /** As engines have it: who listens there alone needs no certificate. */
    private static boolean isThisMachine(String host) {
        return host.equals("localhost") || host.startsWith("localhost:") || host.startsWith("127.");
    }

    /** What is done with an answer; called again with the next one if it was cut. */
    interface Use {
        /**
         * From where on it is wanted.
         *
         * @return bytes that are here already
         */
        long from() throws IOException;

        /** @param partial whether it begins there, not at the beginning */
        void read(InputStream body, boolean partial) throws IOException, ArtifactTrouble;
    }

    /**
     * Gets one thing.
     *
     * @param what such as {@code manifests/latest}
     * @param accept media types
     */
    void get(String what, String accept, Use use) throws IOException, ArtifactTrouble, InterruptedException {
        URI uri = registry.resolve("/v2/" + path + "/" + what);
        boolean hasAnswered = false;
        String last = "";
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            Duration pause = pace.pause().multipliedBy(1L << tries);
            long from = use.from();
            try {
                HttpResponse<InputStream> response = follow(uri, accept, from);
                int status = response.statusCode();
                try (InputStream body = response.body()) {
                    if (status == 200 || status == 206) {
                        use.read(body, status == 206);
                        return;
                    }
                    if (status == 401 && !hasAnswered) {
                        hasAnswered = true;
                        tries--;
                        answer(response);
                        continue;
                    }
                    last = registry.getHost() + " answered " + status;
                    requirePassing(status, what);
                    pause = pause(response, pause);
                }
            } catch (IOException cut) {
                requireTime();
                last = "the connection to " + registry.getHost() + " failed: " + words(cut);
            }
            sleep(pause);
        }
        throw UnpackMeter.again(last + ", " + MOST_TRIES + " times");
    }

    /** Some of them have a name alone. */
    private static String words(IOException cut) {
        String words = cut.getMessage();
        return words == null || words.isEmpty() ? cut.getClass().getSimpleName() : words;
    }

    private void answer(HttpResponse<InputStream> response) throws IOException, ArtifactTrouble, InterruptedException {
        Optional<Challenge> challenge = Challenge.of(response.headers().allValues("www-authenticate"));
        access.answer(challenge.orElseThrow(RegistryAccess::noLogin), left());
    }

    private void requirePassing(int status, String what) throws ArtifactTrouble {
        if (status == 401 || status == 403) {
            throw access.field().startsWith("Basic") ? RegistryAccess.refusedLogin() : RegistryAccess.noLogin();
        }
        if (status == 404) {
            throw UnpackMeter.refused(
                    registry.getHost() + " has no " + what + " of " + path + ": look at its name and tag");
        }
        if (status != 429 && status < 500) {
            throw UnpackMeter.refused(registry.getHost() + " answered " + status + " for " + what);
        }
    }

    /** As long as the registry says, which may be more than there is time for. */
    private Duration pause(HttpResponse<InputStream> response, Duration usual) throws ArtifactTrouble {
        String said = response.headers().firstValue("retry-after").orElse("");
        if (!said.matches("\\d{1,6}")) {
            return usual;
        }
        Duration asked = Duration.ofSeconds(Long.parseLong(said));
        if (asked.compareTo(pace.deadline().left()) >= 0) {
            throw UnpackMeter.again(
                    registry.getHost() + " limits how much is pulled, and wants to be asked again in " + said + " s");
        }
        return asked;
    }

    private void sleep(Duration pause) throws ArtifactTrouble, InterruptedException {
        Duration longest = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
        if (longest.compareTo(pace.deadline().left()) < 0) {
            // A pause that the registry asks for is none of its slowness.
            pace.received().addAndGet(A_MINUTE);
            pace.time().sleep(longest);
            pace.received().addAndGet(A_MINUTE);
        }
        requireTime();
    }

    private Duration left() throws ArtifactTrouble {
        requireTime();
        return pace.deadline().left().plusMillis(1);
    }

    private void requireTime() throws ArtifactTrouble {
        if (pace.slow().get()) {
            throw UnpackMeter.again(
                    "it came with less than 1 KiB a second; " + registry.getHost() + " or the way to it is too slow");
        }
        if (pace.deadline().isExpired()) {
            throw UnpackMeter.again(
                    "it was not here in time from " + registry.getHost() + ": set image_pull_timeout higher");
        }
    }

    /** Credentials go to the registry, and not to where it sends us. */
    private HttpResponse<InputStream> follow(URI first, String accept, long from)
            throws IOException, ArtifactTrouble, InterruptedException {
        URI at = first;
        for (int redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
            Map<String, String> headers = new TreeMap<>();
            headers.put("Accept", accept);
            if (from > 0) {
                headers.put("Range", "bytes=" + from + "-");
            }
            if (!access.field().isEmpty() && isRegistry(at)) {
                headers.put("Authorization", access.field());
            }
            HttpResponse<InputStream> response = http.ask(at, headers, Optional.empty(), left());
            String location = response.headers().firstValue("location").orElse("");
            if (!REDIRECTS.contains(response.statusCode()) || location.isEmpty()) {
                return response;
            }
            response.body().close();
            URI next = next(at, location);
            if ("https".equals(at.getScheme()) && !"https".equals(next.getScheme())) {
                throw UnpackMeter.refused(at.getHost() + " sends us to " + next.getHost() + ", which is not by https");
            }
            at = next;
        }
        throw UnpackMeter.again(registry.getHost() + " redirects more than " + MOST_REDIRECTS + " times");
    }

    private static URI next(URI at, String location) throws ArtifactTrouble {
        try {
            return at.resolve(location);
        } catch (IllegalArgumentException none) {
            throw UnpackMeter.refused(at.getHost() + " sends us to what is no address");
        }
    }

    private boolean isRegistry(URI at) {
        return registry.getScheme().equals(at.getScheme())
                && registry.getAuthority().equals(at.getAuthority());
    }

    /** Counts what comes. */
    void received(long bytes) throws ArtifactTrouble {
        pace.received().addAndGet(bytes);
        requireTime();
    }
}
