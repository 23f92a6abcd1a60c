package io.cleat.artifact;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The proxies that {@code https_proxy}, {@code http_proxy} and {@code no_proxy} name. */
final class ProxyOfEnvironment extends ProxySelector {
    private final Map<String, String> environment;

    ProxyOfEnvironment(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    @Override
    public List<Proxy> select(URI uri) {
        String host = String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT);
        String proxy = value(uri.getScheme() + "_proxy");
        if (proxy.isEmpty() || isExcepted(host)) {
            return List.of(Proxy.NO_PROXY);
        }
        try {
            URI at = URI.create(proxy.contains("://") ? proxy : "http://" + proxy);
            return List.of(new Proxy(
                    Proxy.Type.HTTP,
                    InetSocketAddress.createUnresolved(
                            String.valueOf(at.getHost()), at.getPort() < 0 ? 80 : at.getPort())));
        } catch (IllegalArgumentException unreadable) {
            return List.of(Proxy.NO_PROXY);
        }
    }

    /** Whether a proxy is asked for a URI. */
    boolean isFor(URI uri) {
        return !select(uri).equals(List.of(Proxy.NO_PROXY));
    }

    /** The names of all proxies, in lower case. */
    Set<String> hosts() {
        Set<String> hosts = new TreeSet<>();
        for (String scheme : List.of("http", "https")) {
            for (Proxy proxy : select(URI.create(scheme + "://any.invalid"))) {
                if (proxy.address() instanceof InetSocketAddress at) {
                    hosts.add(at.getHostString().toLowerCase(Locale.ROOT));
                }
            }
        }
        return hosts;
    }

    private boolean isExcepted(String host) {
        if (host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]")) {
            return true;
        }
        for (String each : value("no_proxy").split(",", -1)) {
            String name = each.strip().toLowerCase(Locale.ROOT).replaceFirst("^[*]?[.]", "");
            if (each.strip().equals("*") || (!name.isEmpty() && (host.equals(name) || host.endsWith("." + name)))) {
                return true;
            }
        }
        return false;
    }

    private String value(String name) {
        return environment.getOrDefault(name, environment.getOrDefault(name.toUpperCase(Locale.ROOT), ""));
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failed) {}
}
