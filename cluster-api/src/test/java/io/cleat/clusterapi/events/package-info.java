@NullMarked
package io.cleat.clusterapi.events;

import org.jspecify.annotations.NullMarked;
