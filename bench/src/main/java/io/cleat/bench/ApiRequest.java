package io.cleat.bench;

import java.nio.charset.StandardCharsets;

/**
 * A request of the API, in which {@code %%%%%%%%} stands for a number of eight digits.
 *
 * @param body as JSON; empty for none
 */
record ApiRequest(String method, String path, String body) {
    /** Of a number in {@link LoadProgram}. */
    static final String NUMBER = "%%%%%%%%";

    static ApiRequest get(String path) {
        return new ApiRequest("GET", path, "");
    }

    /** Registers a volume of a plugin without a controller, so that nobody else is asked. */
    static ApiRequest registerVolume(String plugin) {
        String body = """
                {"Volumes":[{"ID":"vol-%1$s","Name":"vol-%1$s","ExternalID":"ext-%1$s","PluginID":"%2$s",\
                "RequestedCapabilities":[{"AccessMode":"single-node-writer","AttachmentMode":"file-system"}]}]}""".formatted(NUMBER, plugin);
        return new ApiRequest("PUT", "/v1/volume/csi/vol-" + NUMBER, body);
    }

    /** Registers a job that wants nothing to run. */
    static ApiRequest registerJob() {
        String body = """
                {"Job":{"ID":"job-%1$s","Name":"job-%1$s","Type":"service","TaskGroups":[{"Name":"g","Count":0,\
                "Tasks":[{"Name":"t","Driver":"raw_exec","Config":{"command":"/bin/true"}}]}]}}""".formatted(NUMBER);
        return new ApiRequest("PUT", "/v1/jobs", body);
    }

    /** The whole of it, as HTTP/1.1 has it. */
    String text(Endpoint endpoint) {
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        String about = length == 0 ? "" : "Content-Length: " + length + "\r\n";
        return method + " " + path + " HTTP/1.1\r\n" + endpoint.head() + about + "\r\n" + body;
    }

    /**
     * Where requests go.
     *
     * @param address {@code unix:PATH} or {@code tcp:PORT}
     * @param head the header fields that are wanted there
     */
    record Endpoint(String address, String head) {
        static Endpoint unix(String path) {
            return new Endpoint("unix:" + path, "Host: localhost\r\n");
        }

        static Endpoint tcp(int port, String token) {
            return new Endpoint("tcp:" + port, "Host: localhost:" + port + "\r\nX-Nomad-Token: " + token + "\r\n");
        }
    }
}
