package io.cleat.driver;

/**
 * What finds a started task again, in this program or a later one.
 *
 * @param id of the {@link TaskConfig}
 * @param version of the driver's {@code state}
 * @param state the driver's own
 */
public record TaskHandle(String driver, String id, int version, String state) {}
