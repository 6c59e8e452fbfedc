/// Limits for a response from Apple.
package struct CallLimits: Sendable {
    /// The maximum time for the whole response in seconds; Apple needs many for large profiles.
    package var seconds = 90
    /// The maximum size of a response in bytes; the largest is a page of 200 resources.
    package var bytes = 8 * 1024 * 1024

    package init() {}
}
