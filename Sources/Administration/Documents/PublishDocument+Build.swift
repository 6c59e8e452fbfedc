package import APIDocuments
package import Publishing

extension PublishDocument {
    package init(
        of published: PublishedBuild,
        at addresses: PublishAddresses,
        _ verdicts: RegisterVerdicts,
    ) {
        self.init(
            published.release,
            channel: published.channel,
            isCreated: published.isCreated,
            isOffered: published.isOffered,
            channelEnds: published.channelEnd,
            at: addresses,
            report: published.report,
            devices: RegisterCount(verdicts),
            remarks: published.remarks,
        )
    }
}
