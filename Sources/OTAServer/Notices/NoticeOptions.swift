package import Addresses
package import Notices

/// How the server sends notices to webhooks.
package struct NoticeOptions: Sendable {
    /// The interval between two checks for events.
    package var interval: Duration = .seconds(1)
    /// Seconds for which the devices that a build lacks must stay the same before a notice is sent.
    package var settling: Double = 60
    package var policy = DeliveryPolicy()
    /// The mail server; nil for none.
    package var mail: MailServer?
    package var resolver: NameResolver = NameResolution.system()

    package init() {}
}
