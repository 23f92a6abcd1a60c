package io.cleat.artifact;

import io.cleat.base.ArtifactTrouble;
import java.io.IOException;
import java.net.Proxy;
import java.net.URL;
import org.eclipse.jgit.transport.HttpTransport;
import org.eclipse.jgit.transport.http.HttpConnection;
import org.eclipse.jgit.transport.http.JDKHttpConnectionFactory;

/**
 * The connections of git over HTTP, each to a host that the rule lets through: also where a server redirects to, and
 * where a repository says that it has objects elsewhere.
 */
final class CheckedConnections extends JDKHttpConnectionFactory {
    private final AddressRule rule;

    private CheckedConnections(AddressRule rule) {
        this.rule = rule;
    }

    /** For the whole process, as the library has it. */
    static void install(AddressRule rule) {
        HttpTransport.setConnectionFactory(new CheckedConnections(rule));
    }

    @Override
    public HttpConnection create(URL url) throws IOException {
        require(url);
        return super.create(url);
    }

    @Override
    public HttpConnection create(URL url, Proxy proxy) throws IOException {
        require(url);
        return super.create(url, proxy);
    }

    private void require(URL url) throws IOException {
        try {
            rule.require(url.getHost());
        } catch (ArtifactTrouble refused) {
            throw new IOException(refused.reason(), refused);
        }
    }
}
