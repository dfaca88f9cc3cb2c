beginPage();
document.body.dataset.ready = "true";
