package import Addresses
package import Notices

/// How the server sends notices to webhooks.
package struct NoticeOptions: Sendable {
    /// Between two looks at what happened.
    package var interval: Duration = .seconds(1)
    /// Seconds for which the devices that a build is missing must stay the same before a notice is
    /// sent.
    package var settling: Double = 60
    package var policy = DeliveryPolicy()
    /// Takes e-mail; nil for none.
    package var mail: MailServer?
    package var resolver: NameResolver = NameResolution.system()

    package init() {}
}
