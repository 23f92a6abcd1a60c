package io.cleat.http.routes;

import io.cleat.api.Json;
import io.cleat.api.LogFrame;
import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import io.cleat.base.Trouble;
import io.cleat.http.PieceReader;
import io.cleat.http.QueryParams;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

/** What is read piece by piece, as a client takes it: as it is, or in frames. */
final class Pieces {
    /** After so long without a piece a frame says that the sender is alive. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(1);

    /** What a task wrote is never to be taken by a browser for a page of this agent. */
    private static final Map<String, String> UNTRUSTED =
            Map.of("X-Content-Type-Options", "nosniff", "Content-Security-Policy", "default-src 'none'; sandbox");

    private Pieces() {}

    static Reply plain(PieceReader reader) {
        return new Reply(200, UNTRUSTED, new Reply.Stream("text/plain", out -> copy(reader, out)));
    }

    static Reply framed(PieceReader reader) {
        return Reply.stream("application/json", out -> frames(reader, out));
    }

    /** Where reading begins, of the query. */
    static boolean fromEnd(Request request) throws Refused {
        return switch (request.text("origin")) {
            case "", "start" -> false;
            case "end" -> true;
            default -> throw QueryParams.malformed("origin must be start or end");
        };
    }

    /** How far from there; 0 if not said. */
    static long offset(Request request) throws Refused {
        return number(request, "offset", 0);
    }

    private static long number(Request request, String name, long without) throws Refused {
        long number = anyNumber(request, name, without);
        if (number < 0) {
            throw QueryParams.malformed(name + " cannot be negative");
        }
        return number;
    }

    /** A number of the query, which may be negative. */
    static long anyNumber(Request request, String name, long without) throws Refused {
        String text = request.text(name);
        try {
            return text.isEmpty() ? without : Long.parseLong(text);
        } catch (NumberFormatException notANumber) {
            throw QueryParams.malformed("error parsing " + name + ": " + TextRule.quoted(text) + " is not a number");
        }
    }

    private static void copy(PieceReader reader, OutputStream out)
            throws IOException, Refused, Trouble, InterruptedException {
        try (reader) {
            PieceReader.Step step = reader.next(HEARTBEAT);
            while (!(step instanceof PieceReader.End)) {
                if (step instanceof PieceReader.Piece piece) {
                    out.write(piece.bytes());
                    out.flush();
                }
                step = reader.next(HEARTBEAT);
            }
        }
    }

    private static void frames(PieceReader reader, OutputStream out)
            throws IOException, Refused, Trouble, InterruptedException {
        try (reader) {
            PieceReader.Step step = reader.next(HEARTBEAT);
            while (!(step instanceof PieceReader.End)) {
                switch (step) {
                    case PieceReader.Piece piece -> frames(piece, out);
                    case PieceReader.Changed changed ->
                        out.write(Json.write(new LogFrame("", changed.file(), changed.event(), 0)));
                    case PieceReader.Quiet _, PieceReader.End _ -> out.write(Json.write(LogFrame.HEARTBEAT));
                }
                out.flush();
                step = reader.next(HEARTBEAT);
            }
        }
    }

    private static void frames(PieceReader.Piece piece, OutputStream out) throws IOException {
        byte[] all = piece.bytes();
        for (int from = 0; from < all.length; from += LogFrame.MOST_BYTES) {
            int to = Math.min(all.length, from + LogFrame.MOST_BYTES);
            out.write(Json.write(
                    LogFrame.of(Arrays.copyOfRange(all, from, to), piece.file(), piece.offset() - (all.length - to))));
        }
    }
}
