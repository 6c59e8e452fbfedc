import APIDocuments
import Administration

/// The damaged or missing items of a list, shown below the readable ones.
enum UnreadableRemark {
    static func text(_ failures: [ErrorDocument.Failure]?, style: Style) -> String {
        (failures ?? []).map { failure in
            """

            \(style.bad("✗ \(failure.id)")) \(failure.message.printable)
                \(style.faint("fix")) \(failure.fix.printable)
            """
        }.joined()
    }
}
