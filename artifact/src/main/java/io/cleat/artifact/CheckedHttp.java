package io.cleat.artifact;

import io.cleat.base.ArtifactTrouble;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks servers that a job names, or that another server names: none that the rule about addresses refuses. Follows no
 * redirect by itself. Any thread.
 */
public final class CheckedHttp implements AutoCloseable {
    private static final Duration CONNECTING = Duration.ofSeconds(30);

    private final HttpClient client;
    private final ProxyOfEnvironment proxies = new ProxyOfEnvironment(System.getenv());
    private final AddressRule addresses;

    /** @param allowed the addresses of the machine and its link that may be connected to */
    public CheckedHttp(List<AddressRange> allowed) {
        this.addresses = new AddressRule(allowed);
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECTING)
                .proxy(proxies)
                .build();
    }

    /** Holds each name that this process looks up to the rule from now on. */
    public static void begin(List<AddressRange> allowed) {
        CheckedNames.begin(new AddressRule(allowed), new ProxyOfEnvironment(System.getenv()).hosts());
    }

    /**
     * Asks.
     *
     * @param form what is posted; empty to get
     * @param within the time until the answer begins
     * @return whatever is answered; its body must be closed
     * @throws ArtifactTrouble if the address is refused, or is none of HTTP
     */
    public HttpResponse<InputStream> ask(URI uri, Map<String, String> headers, Optional<String> form, Duration within)
            throws IOException, ArtifactTrouble, InterruptedException {
        String scheme = String.valueOf(uri.getScheme());
        if (uri.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
            throw FreshTree.refused("its server sends us to " + scheme + ", not to http or https");
        }
        // A proxy looks up names by itself, by its own rules.
        if (!proxies.isFor(uri) || HttpDownload.isAddress(uri.getHost())) {
            addresses.require(uri.getHost());
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(within);
        headers.forEach(request::setHeader);
        if (form.isPresent()) {
            request.setHeader("Content-Type", "application/x-www-form-urlencoded");
            request.POST(HttpRequest.BodyPublishers.ofString(form.get()));
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    /** Ends all connections, with reads that wait for the rest of a body. */
    @Override
    public void close() {
        client.shutdownNow();
    }
}
