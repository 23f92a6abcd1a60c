package io.cleat.csi;

import java.time.Duration;

/**
 * One try of one call, as it ended.
 *
 * @param plugin the plugin's name
 * @param call the call's name in the specification
 * @param subject what it was about, such as {@code volume "v1"}; may be empty
 * @param number from 1
 * @param code {@code OK} also where the reply was then found bad
 * @param took from sending to the end
 */
public record CallTry(String plugin, String call, String subject, int number, CsiCode code, Duration took) {}
