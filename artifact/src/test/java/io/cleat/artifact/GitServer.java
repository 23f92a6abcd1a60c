package io.cleat.artifact;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.transport.PacketLineOut;
import org.eclipse.jgit.transport.RefAdvertiser;
import org.eclipse.jgit.transport.UploadPack;

/** A repository behind git's HTTP protocol, for whoever knows the password. */
final class GitServer {
    private final Repository repository;
    private final String credentials;

    /** @param credentials {@code user:password}; empty for everybody */
    GitServer(Repository repository, String credentials) {
        this.repository = repository;
        this.credentials = credentials;
    }

    void handle(HttpExchange exchange) throws IOException {
        if (!credentials.isEmpty()
                && !("Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)))
                        .equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"git\"");
            Fetches.answer(exchange, 401, new byte[0]);
            return;
        }
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        UploadPack pack = new UploadPack(repository);
        pack.setBiDirectionalPipe(false);
        String path = exchange.getRequestURI().getPath();
        boolean isList = path.endsWith("/info/refs");
        String type = isList ? "advertisement" : "result";
        if (isList) {
            PacketLineOut lines = new PacketLineOut(answer);
            lines.writeString("# service=git-upload-pack\n");
            lines.end();
            pack.sendAdvertisedRefs(new RefAdvertiser.PacketLineOutRefAdvertiser(lines));
        } else {
            boolean packed = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            InputStream body = exchange.getRequestBody();
            pack.upload(packed ? new GZIPInputStream(body) : body, answer, OutputStream.nullOutputStream());
        }
        exchange.getResponseHeaders().set("Content-Type", "application/x-git-upload-pack-" + type);
        Fetches.answer(exchange, 200, Objects.requireNonNull(answer.toByteArray()));
    }
}
