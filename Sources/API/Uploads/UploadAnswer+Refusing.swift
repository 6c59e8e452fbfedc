import Access
import HTTPTypes
import SiteServices
import Uploads

extension UploadAnswer {
    /// Creates the final answer to an upload that is not published, in the form of the API.
    ///
    /// - Parameters:
    ///   - error: why it is not published.
    ///   - principal: the uploader; nil if unknown.
    init(refusing error: any Error, to principal: Principal?) {
        let answer = APIAnswer(refusing: Refusal.hidingFailures(of: error, from: principal))
        self.init(
            status: answer.status.code,
            body: String(decoding: answer.body, as: UTF8.self),
        )
    }
}
