package import Addresses
package import Notices

/// How the server tells webhooks what happens.
package struct NoticeOptions: Sendable {
    /// Between two looks at what happened.
    package var interval: Duration = .seconds(1)
    /// Seconds that the devices which a build lacks stay the same before they are told.
    package var settling: Double = 60
    package var policy = DeliveryPolicy()
    package var resolver: NameResolver = NameResolution.system()

    package init() {}
}
