package io.cleat.http;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * What is said to a request that Jetty refuses before a route sees it: a line of plain text, as routes refuse. Jetty's
 * own answer is a page that names the library and quotes the request.
 */
final class LibraryRefusals implements Request.Handler {
    private final int largestHead;

    /** @param largestHead bytes of a request's line and headers that are read */
    LibraryRefusals(int largestHead) {
        this.largestHead = largestHead;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
        Content.Sink.write(response, true, words(response.getStatus()), callback);
        return true;
    }

    private String words(int status) {
        return switch (status) {
            case HttpStatus.URI_TOO_LONG_414 ->
                "the request's path and query are too long; send at most " + largestHead + " bytes, headers included";
            case HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431 ->
                "the request's headers are too long; send at most " + largestHead + " bytes";
            case HttpStatus.BAD_REQUEST_400 -> "the request is not valid HTTP/1.1";
            default -> HttpStatus.getMessage(status);
        };
    }
}
