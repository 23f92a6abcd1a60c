package io.cleat.fuzz.targets;

import io.cleat.base.Ids;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.clusterapi.ClusterRoutes;
import io.cleat.fuzz.Target;
import io.cleat.http.AgentLocator;
import io.cleat.http.Dispatcher;
import io.cleat.http.Guard;
import io.cleat.http.NodeApi;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Requests as far as the routes read them, with nobody behind: a line of method and target, headers each on a line, an
 * empty line, a body.
 */
public final class HttpRequests implements Target {
    private final Dispatcher dispatcher = new Dispatcher(
            Guard.anyHost(),
            routes(),
            () -> List.of("global"),
            (where, fault) -> {
                throw new AssertionError(where, fault);
            },
            Ids.random());

    /** The whole table of routes, of an agent with an empty cluster and without a node. */
    public static List<Route> routes() {
        return ClusterRoutes.of(IdleCluster.make(), nobody(NodeApi.class), AgentLocator.HERE);
    }

    private static <T> T nobody(Class<T> type) {
        InvocationHandler missing = (Object proxy, Method method, Object[] arguments) -> {
            List<Class<?>> thrown = List.of(method.getExceptionTypes());
            if (!thrown.contains(Refused.class) && method.getReturnType().isInterface()) {
                return nobody(method.getReturnType());
            }
            throw new Refused(new Refusal.NotFound("there is nothing"));
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, missing));
    }

    @Override
    public String name() {
        return "requests";
    }

    @Override
    public String about() {
        return "request lines, queries, headers and bodies, as far as the routes read them";
    }

    @Override
    public List<byte[]> samples() {
        List<byte[]> samples = new ArrayList<>();
        for (Route route : routes()) {
            String path = route.pattern().replace(":id", "a%2Fb");
            String query = "?index=1&wait=1s&filter=ID%3D%3D%22a%22&per_page=2&next_token=a.b&prefix=a"
                    + "&namespace=*&region=global&stale&task=t&type=stdout&offset=1";
            samples.add(Samples.bytes(route.method()
                    + " "
                    + path
                    + query
                    + "\nHost: a\nX-Cleat-Request-Id: r\n\n"
                    + (route.method().equals("PUT") ? "{}" : "")));
        }
        return samples;
    }

    @Override
    public List<String> words() {
        return List.of(
                "&follow=true",
                "&plain=true",
                "&command=%5B%22a%22%5D",
                "&tty=true",
                "%00",
                "%ff",
                "%",
                "%zz",
                "+",
                "&index=18446744073709551615",
                "&wait=99999999h",
                "&topic=Job:a",
                "&topic=*",
                "&limit=-1",
                "&origin=end",
                "&path=..%2f..",
                "&plugin_id=a",
                "&job=a",
                "&filter=",
                "&per_page=-1",
                "&reverse=true",
                "\nX-Nomad-Token: ",
                "\nOrigin: http://a",
                "\nSec-Fetch-Site: cross-site",
                "\nUpgrade: websocket",
                "X-Nomad-CSI-Secrets: a=b,",
                "/../",
                "//",
                ";a=b");
    }

    @Override
    public void run(byte[] input) throws Exception {
        String text = Samples.text(input);
        int end = text.indexOf("\n\n");
        String[] lines = (end < 0 ? text : text.substring(0, end)).split("\n", -1);
        String[] first = lines[0].split(" ", 2);
        if (first.length < 2 || !first[1].startsWith("/")) {
            throw new Refused(new Refusal.Malformed("no such thing gets through the HTTP server"));
        }
        Map<String, String> headers = new HashMap<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            if (colon > 0) {
                headers.put(
                        lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
                        lines[i].substring(colon + 1).strip());
            }
        }
        byte[] body = end < 0 ? new byte[0] : Samples.bytes(text.substring(end + 2));
        Reply reply = dispatcher.answer(Request.of(first[0], first[1], headers, body, Request.UNIX));
        if (reply.toString().contains("internal error")) {
            throw new AssertionError("an internal error: " + reply);
        }
    }
}
