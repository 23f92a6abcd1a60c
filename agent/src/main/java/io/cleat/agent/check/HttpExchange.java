package io.cleat.agent.check;

import io.cleat.base.Time;
import io.cleat.exchange.HttpReply;
import io.cleat.model.ServiceProbe;
import io.cleat.model.ServiceWords;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * One request of a check and its answer, of which the check needs the status and the beginning of what follows. No
 * redirect is followed: what is checked is who answers here.
 */
final class HttpExchange {
    private static final int SHOWN = 1024;
    private static final int TOO_MANY = 429;

    private final ServiceWords.Place place;
    private final ServiceProbe.Http request;
    private final Time time;

    HttpExchange(ServiceWords.Place place, ServiceProbe.Http request, Time time) {
        this.place = place;
        this.request = request;
        this.time = time;
    }

    CheckResult over(Socket plain) throws IOException {
        Socket socket = request.isSecure() ? secured(plain) : plain;
        OutputStream out = socket.getOutputStream();
        byte[] body = request.body().getBytes(StandardCharsets.UTF_8);
        out.write(head(body.length).getBytes(StandardCharsets.UTF_8));
        out.write(body);
        out.flush();
        return answer(HttpReply.read(socket.getInputStream(), !method().equals("HEAD")));
    }

    private String head(int length) {
        StringBuilder head = new StringBuilder();
        head.append(method()).append(' ').append(request.path()).append(" HTTP/1.1\r\nConnection: close\r\n");
        if (!has("Host")) {
            head.append("Host: ").append(host()).append("\r\n");
        }
        if (!has("User-Agent")) {
            head.append("User-Agent: cleat\r\n");
        }
        if (length > 0) {
            head.append("Content-Length: ").append(length).append("\r\n");
        }
        for (Map.Entry<String, List<String>> field : request.headers().entrySet()) {
            for (String value : field.getValue()) {
                head.append(field.getKey()).append(": ").append(value).append("\r\n");
            }
        }
        return head.append("\r\n").toString();
    }

    private String method() {
        return request.method().isEmpty() ? "GET" : request.method();
    }

    private boolean has(String name) {
        return request.headers().keySet().stream().anyMatch(name::equalsIgnoreCase);
    }

    private String host() {
        String address = place.address();
        return (address.indexOf(':') >= 0 ? "[" + address + "]" : address) + ":" + place.port();
    }

    private CheckResult answer(HttpReply reply) throws IOException {
        int code = reply.status();
        if (code >= 200 && code < 400) {
            return new CheckResult(CheckStatus.SUCCESS, code, "nomad: http ok", time.now());
        }
        String body = new String(reply.body().readNBytes(SHOWN), StandardCharsets.UTF_8).strip();
        return new CheckResult(
                code == TOO_MANY ? CheckStatus.WARNING : CheckStatus.FAILURE,
                code,
                "nomad: answered " + code + (body.isEmpty() ? "" : ": " + body),
                time.now());
    }

    private Socket secured(Socket plain) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    null,
                    request.skipsVerification() ? new TrustManager[] {new AnyCertificate()} : null,
                    new SecureRandom());
            SSLSocket socket =
                    (SSLSocket) context.getSocketFactory().createSocket(plain, place.address(), place.port(), true);
            if (!request.skipsVerification()) {
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                socket.setSSLParameters(parameters);
            }
            socket.startHandshake();
            return socket;
        } catch (GeneralSecurityException broken) {
            throw new IOException("TLS cannot be used: " + broken.getMessage(), broken);
        }
    }

    /** For a job that says that any will do. */
    private static final class AnyCertificate implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
