@NullMarked
package io.cleat.clusterapi.plugins;

import org.jspecify.annotations.NullMarked;
